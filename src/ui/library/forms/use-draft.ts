import { useSignals } from '@preact/signals-react/runtime'
import { useApp } from '../../app-context'

/** The fields of a named form: as `saved`, or as changed and not yet saved, also after leaving the page. */
export function useDraft<T>(name: string, saved: T) {
  useSignals()
  const { drafts } = useApp()
  const draft = drafts.all.value.get(name) as T | undefined
  return {
    value: draft ?? saved,
    isChanged: draft !== undefined,
    change: (next: T) => drafts.keep(name, next),
    forget: () => drafts.forget(name),
  }
}
