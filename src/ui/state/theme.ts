import { effect, signal } from '@preact/signals-core'

export type Theme = 'system' | 'light' | 'dark'
export const themes: readonly Theme[] = ['system', 'light', 'dark']

const KEY = 'theme'

/** The theme of the page. With `system` nothing is stored, and the page follows the operating system. */
export function createTheme(storage: Storage, prefersDark: MediaQueryList, root: HTMLElement) {
  const stored = storage.getItem(KEY)
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
      if (next === 'system') storage.removeItem(KEY)
      else storage.setItem(KEY, next)
      theme.value = next
    },
  }
}
