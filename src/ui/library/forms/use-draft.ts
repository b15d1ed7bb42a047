import { useApp } from '../app-context'

/** The fields of a form, by its name: as they are `saved`, or as somebody has changed them. */
export function useDraft<T>(name: string, saved: T) {
  const { drafts } = useApp()
  const draft = drafts.all.value.get(name) as T | undefined
  return {
    value: draft ?? saved,
    isChanged: draft !== undefined,
    change: (next: T) => drafts.keep(name, next),
    forget: () => drafts.forget(name),
  }
}
