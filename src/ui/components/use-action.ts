import { useState, type FormEvent } from 'react'

/**
 * Runs an action, one at a time, and keeps its failure until the next run. With `onFailed` the failure is passed there
 * instead.
 */
export function useAction<Given extends unknown[]>(
  action: (...given: Given) => Promise<unknown>,
  onFailed?: (error: unknown) => void,
) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)

  async function run(...given: Given) {
    if (isBusy) return
    setBusy(true)
    setFailure(null)
    try {
      await action(...given)
    } catch (error) {
      if (onFailed) onFailed(error)
      else setFailure(error)
    }
    setBusy(false)
  }
  return { isBusy, failure, run: (...given: Given) => void run(...given), forgetFailure: () => setFailure(null) }
}

/** Handles a form's submission without leaving the page. */
export const onSubmit =
  (action: (form: HTMLFormElement) => void) =>
  (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    action(event.currentTarget)
  }
