import { signal } from '@preact/signals-core'

const KEY = 'keys'

/** The setting of this browser that turns keys of one stroke off (WCAG 2.1.4). */
export function createSingleKeys(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  const areOn = signal(storage.getItem(KEY) !== 'off')
  return {
    areOn,
    choose(isOn: boolean) {
      areOn.value = isOn
      if (isOn) storage.removeItem(KEY)
      else storage.setItem(KEY, 'off')
    },
  }
}
