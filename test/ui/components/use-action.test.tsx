import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { BusyButton } from '../../../src/ui/components/buttons'
import { onSubmit, useAction } from '../../../src/ui/components/use-action'

type Props = { save: () => Promise<void>; onFailed?: (error: unknown) => void }

function Form({ save, onFailed }: Props) {
  const saving = useAction(save, onFailed)
  return (
    <form onSubmit={onSubmit(() => saving.run())}>
      <output>{saving.failure instanceof Error ? saving.failure.message : 'fine'}</output>
      <BusyButton type="submit" isBusy={saving.isBusy}>
        Save
      </BusyButton>
    </form>
  )
}

const button = () => screen.getByRole<HTMLButtonElement>('button')
const shown = () => screen.getByRole('status').textContent
const submit = () => act(() => fireEvent.submit(button().form!))

test('an action under way is not begun again, and its button says that it is busy', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let begun = 0
  const save = () => {
    begun++
    return promise
  }
  render(<Form save={save} />)
  submit()
  submit()
  expect(begun).toBe(1)
  expect(button().disabled).toBe(true)
  expect(button().getAttribute('aria-busy')).toBe('true')

  await act(async () => resolve())
  expect(button().disabled).toBe(false)
})

test('a failure stays until the next run', async () => {
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let runs = 0
  render(<Form save={() => answers[runs++]!.promise} />)
  submit()
  await act(async () => answers[0]!.reject(new Error('refused')))
  expect(shown()).toBe('refused')
  expect(button().disabled).toBe(false)

  submit()
  expect(shown()).toBe('fine')
  await act(async () => answers[1]!.resolve())
  expect(shown()).toBe('fine')
})

test('a failure that is shown elsewhere is not kept', async () => {
  const failures: unknown[] = []
  render(<Form save={() => Promise.reject(new Error('refused'))} onFailed={error => failures.push(error)} />)
  await act(async () => fireEvent.submit(button().form!))
  expect(failures).toEqual([new Error('refused')])
  expect(shown()).toBe('fine')
  expect(button().disabled).toBe(false)
})
