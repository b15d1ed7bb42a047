import { signal } from '@preact/signals-core'
import { useSyncExternalStore } from 'react'
import { createTranslate, type TextsByKey, type TFunction } from '../shared/texts'

export type { TFunction, Values } from '../shared/texts'

type Texts = { language: string; byKey: TextsByKey; translate: TFunction }

const current = signal<Texts>(createTexts('en', {}))

/** Shows the texts of a language from now on. `byKey`: its texts by their keys. */
export function setTexts(language: string, byKey: TextsByKey) {
  current.value = createTexts(language, byKey)
}

/** Translates outside of components. */
export const translate: TFunction = (keys, values) => current.value.translate(keys, values)

/** The code of the language that the page uses now. */
export const currentLanguage = () => current.value.language

export const hasText = (key: string) => key in current.value.byKey

const subscribe = (notify: () => void) => current.subscribe(notify)

/** Renders a component again when the language changes. */
export const useTranslation = () => ({ t: useSyncExternalStore(subscribe, () => current.value.translate) })

function createTexts(language: string, byKey: TextsByKey): Texts {
  return { language, byKey, translate: createTranslate(language, byKey) }
}
