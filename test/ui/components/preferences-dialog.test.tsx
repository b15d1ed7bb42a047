import { signal } from '@preact/signals-core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { ApiError } from '../../../src/ui/api/client'
import { AppProvider } from '../../../src/ui/app-context'
import { PreferencesDialog } from '../../../src/ui/pages/episodes/preferences-dialog'
import { createDrafts } from '../../../src/ui/state/shell'
import { createCalls, settled } from '../../support/settled'

const preferences = {
  speed: null,
  skipSilence: null,
  form: null,
  queueNew: null,
  notify: null,
  boost: null,
  skipIntro: 0,
  skipOutro: 0,
}
const saved = { ...preferences, skipMarked: false, inTimeline: true, queueMost: 5 }

/** Shows the dialog; gives the requests that save, and the field of a number by its name. */
async function show() {
  const saves = createCalls<unknown[], unknown>()
  const heard: unknown[] = []
  const app = {
    api: { podcasts: { preferences: async () => saved, editPreferences: saves.call } },
    drafts: createDrafts(),
    player: { usualRate: signal(1), usualSilence: signal(false), preferred: (...told: unknown[]) => heard.push(told) },
    toasts: { done: () => undefined },
    failed: () => undefined,
  }
  await act(async () => {
    render(
      <AppProvider value={app as never}>
        <PreferencesDialog podcast={{ id: 'pod', name: 'Pod' } as never} onClose={() => undefined} />
      </AppProvider>,
    )
    await settled()
  })
  const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name: new RegExp(`^${name}`) })
  const type = (name: string, value: string) => act(() => fireEvent.change(field(name), { target: { value } }))
  return { saves, heard, field, type, leave: (name: string) => act(() => fireEvent.blur(field(name))) }
}

test('a number that is typed on while it is saved stays, and the player hears of each save', async () => {
  const { saves, heard, field, type, leave } = await show()
  type('skipIntro', '1')
  leave('skipIntro')
  type('skipIntro', '12')
  await act(() => saves.answer({ ...saved, skipIntro: 1 }))
  expect(field('skipIntro').value).toBe('12')
  leave('skipIntro')
  await act(() => saves.answer({ ...saved, skipIntro: 12 }))
  expect(saves.calls.map(({ args }) => args)).toEqual([
    ['pod', { skipIntro: 1 }],
    ['pod', { skipIntro: 12 }],
  ])
  expect(field('skipIntro').value).toBe('12')
  expect(heard[0]).toEqual(['pod', { ...saved, skipIntro: 1 }])
})

test('a refusal is shown at the setting that it is about, not at those that were sent along', async () => {
  const { saves, type, leave } = await show()
  type('skipIntro', '5')
  leave('skipIntro')
  for (const [name, value] of [
    ['skipIntro', '6'],
    ['skipOutro', '7'],
  ] as const) {
    type(name, value)
    leave(name)
  }
  await act(() => saves.answer({ ...saved, skipIntro: 5 }))
  const refusal = { code: 'invalid-field', message: 'at most 6', args: { field: 'skipOutro', rule: 'at most 6' } }
  await act(() => saves.refuse(new ApiError(422, refusal.code, refusal.message, refusal.args)))
  expect(screen.getAllByRole('alert')).toHaveLength(1)
})
