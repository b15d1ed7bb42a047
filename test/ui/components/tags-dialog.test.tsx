import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import type { Tag } from '../../../src/shared/api/podcast'
import { ApiError } from '../../../src/ui/api/client'
import { AppProvider } from '../../../src/ui/app-context'
import { TagsDialog } from '../../../src/ui/pages/episodes/dialog-parts'
import { createTags } from '../../../src/ui/state/library'
import { createCalls, settled } from '../../support/settled'

test('tags that load say so, and tags that could not be loaded are asked for again', async () => {
  const lists = createCalls<unknown[], readonly Tag[]>()
  const tags = createTags({ api: { list: lists.call } as never, library: {} as never })
  await act(async () => {
    render(
      <AppProvider value={{ tags, failed: () => undefined } as never}>
        <TagsDialog podcast={{ id: 'pod', name: 'Pod', tags: [] } as never} onClose={() => undefined} />
      </AppProvider>,
    )
    await settled()
  })
  expect(screen.getByRole('status', { name: 'loading' })).toBeTruthy()
  await act(() => lists.refuse(new ApiError(503, 'disk-full', 'no room')))
  expect(screen.queryByRole('status', { name: 'loading' })).toBeNull()
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'try-again' })))
  await act(() => lists.answer([{ id: 'tag', name: 'News', color: 'Red', description: null } as unknown as Tag]))
  expect(screen.getByRole('checkbox', { name: 'News' })).toBeTruthy()
})
