import { effect, signal } from '@preact/signals-core'
import type { SkipLengths } from '../../shared/api/user'
import type { Api } from '../api'

export type Theme = 'system' | 'light' | 'dark'
export const themes: readonly Theme[] = ['system', 'light', 'dark']

const THEME_KEY = 'theme'

/** The theme of the page. With `system` nothing is stored, and the page follows the operating system. */
export function createTheme(storage: Storage, prefersDark: MediaQueryList, root: HTMLElement) {
  const stored = storage.getItem(THEME_KEY)
  const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system')
  const systemIsDark = signal(prefersDark.matches)
  prefersDark.addEventListener('change', event => (systemIsDark.value = event.matches))

  effect(() => {
    const isDark = theme.value === 'dark' || (theme.value === 'system' && systemIsDark.value)
    root.classList.toggle('dark', isDark)
    root.dataset.theme = isDark ? 'dark' : 'light'
  })

  return {
    theme,
    choose(next: Theme) {
      if (next === 'system') storage.removeItem(THEME_KEY)
      else storage.setItem(THEME_KEY, next)
      theme.value = next
    },
  }
}

const KEYS_KEY = 'keys'

/** The setting of this browser that turns single-key shortcuts off (WCAG 2.1.4). */
export function createSingleKeys(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  const areOn = signal(storage.getItem(KEYS_KEY) !== 'off')
  return {
    areOn,
    choose(isOn: boolean) {
      areOn.value = isOn
      if (isOn) storage.removeItem(KEYS_KEY)
      else storage.setItem(KEYS_KEY, 'off')
    },
  }
}

type Needs = { api: Pick<Api['users'], 'skipLengths' | 'setSkipLengths'> }

export type SkipLengthsState = ReturnType<typeof createSkipLengths>

/** The seconds that the player's buttons skip: the same in every browser of the user. */
export function createSkipLengths({ api }: Needs) {
  const lengths = signal<SkipLengths>({ back: 30, forward: 30 })
  return {
    lengths,
    async load() {
      lengths.value = await api.skipLengths()
    },
    /** Shown at once, and undone if the server refuses. */
    async set(wanted: SkipLengths) {
      const before = lengths.value
      lengths.value = wanted
      try {
        lengths.value = await api.setSkipLengths(wanted)
      } catch (error) {
        lengths.value = before
        throw error
      }
    },
  }
}
