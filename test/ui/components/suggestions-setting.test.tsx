import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { AppProvider } from '../../../src/ui/app-context'
import { SuggestionsRow } from '../../../src/ui/pages/settings/playback-tab'
import { settled } from '../../support/settled'

test('suggestions that were hidden are shown again in the settings', async () => {
  let isShown = false
  const playlists = {
    suggestions: async () => ({ isShown, suggestions: [] }),
    async showSuggestions(wanted: boolean) {
      isShown = wanted
    },
  }
  render(
    <AppProvider value={{ api: { playlists } } as never}>
      <SuggestionsRow />
    </AppProvider>,
  )
  await act(settled)
  const control = screen.getByRole('switch', { name: 'show-suggestions' })
  expect(control.getAttribute('aria-checked')).toBe('false')
  await act(async () => void fireEvent.click(control))
  await act(settled)
  expect([isShown, control.getAttribute('aria-checked')]).toEqual([true, 'true'])
})
