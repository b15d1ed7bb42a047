import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { Ellipsis } from 'lucide-react'
import { inGroups, Menu, type MenuItem } from '../../../src/ui/components/menu'

function renderMenu(items: readonly MenuItem[] | (() => readonly MenuItem[])) {
  render(
    <>
      <Menu icon={Ellipsis} label="More" items={items} />
      <button type="button">Elsewhere</button>
    </>,
  )
  return screen.getByRole('button', { name: 'More' })
}
const press = (key: string) => act(() => fireEvent.keyDown(document.activeElement!, { key }))
const focused = () => document.activeElement?.textContent

test('the first entry has the focus, arrows go round, and the last one is at End', () => {
  const button = renderMenu([{ label: 'Play' }, { label: 'Queue' }, { label: 'Delete' }])
  act(() => button.click())
  expect(focused()).toBe('Play')
  press('ArrowDown')
  expect(focused()).toBe('Queue')
  press('End')
  expect(focused()).toBe('Delete')
  press('ArrowDown')
  expect(focused()).toBe('Play')
  press('ArrowUp')
  expect(focused()).toBe('Delete')
})

test('a menu that loads its entries opens once they are there, and its button closes it like any other', async () => {
  const loaded = Promise.withResolvers<boolean>()
  render(<Menu icon={Ellipsis} label="More" items={() => [{ label: 'Play' }]} load={() => loaded.promise} />)
  const button = screen.getByRole('button', { name: 'More' })
  act(() => button.click())
  expect(screen.queryByRole('menu')).toBeNull()
  await act(async () => loaded.resolve(true))
  expect(focused()).toBe('Play')
  await act(async () => button.click())
  expect(screen.queryByRole('menu')).toBeNull()
})

test('Escape closes and returns the focus', () => {
  const button = renderMenu([{ label: 'Play' }])
  act(() => button.click())
  press('Escape')
  expect(screen.queryByRole('menu')).toBeNull()
  expect(document.activeElement).toBe(button)
})

test('a choice closes the menu before it acts, so that a dialog can take the focus', () => {
  let focusAtAction: Element | null = null
  const onSelect = () => (focusAtAction = document.activeElement)
  const button = renderMenu([{ label: 'Delete', onSelect }])
  act(() => button.click())
  act(() => screen.getByRole('menuitem').click())
  expect(focusAtAction!).toBe(button)
  expect(screen.queryByRole('menu')).toBeNull()
})

test('a press elsewhere closes, and so does a focus elsewhere', () => {
  const button = renderMenu([{ label: 'Play' }])
  const elsewhere = screen.getByText('Elsewhere')
  act(() => button.click())
  act(() => fireEvent.pointerDown(elsewhere))
  expect(screen.queryByRole('menu')).toBeNull()

  act(() => button.click())
  act(() => elsewhere.focus())
  expect(screen.queryByRole('menu')).toBeNull()
})

test('entries that are made on demand are made once the menu opens', () => {
  let made = 0
  const button = renderMenu(() => {
    made++
    return [{ label: 'Play' }]
  })
  expect(made).toBe(0)
  act(() => button.click())
  expect(made).toBeGreaterThan(0)
})

test('links to other sites open in a tab of their own', () => {
  const button = renderMenu([
    { label: 'Save', href: '/media/1.mp3' },
    { label: 'Web page', href: 'https://example.com/' },
  ])
  act(() => button.click())
  const [own, other] = screen.getAllByRole('menuitem')
  expect(own!.getAttribute('target')).toBeNull()
  expect(other!.getAttribute('target')).toBe('_blank')
  expect(other!.getAttribute('rel')).toBe('noopener noreferrer')
})

test('groups stand apart, and one without entries leaves no line', () => {
  const button = renderMenu(inGroups([], [{ label: 'Play' }, { label: 'Queue' }], [], [{ label: 'Delete' }]))
  act(() => button.click())
  expect([...screen.getByRole('menu').children].map(child => child.textContent || child.tagName)).toEqual([
    'Play',
    'Queue',
    'HR',
    'Delete',
  ])
})

test('a heading tells what the entries are for', () => {
  render(<Menu icon={Ellipsis} label="More options for Fog" heading="Fog" items={[{ label: 'Play' }]} />)
  act(() => screen.getByRole('button').click())
  expect(screen.getByRole('menu').firstChild?.textContent).toBe('Fog')
})

test('a tick at the end marks the chosen one of several, whether they have icons or not', () => {
  const button = renderMenu([
    { label: 'Slow', isChecked: false },
    { label: 'Fast', isChecked: true },
    { label: 'Dark', isChecked: true, icon: Ellipsis },
    { label: 'Settings' },
  ])
  act(() => button.click())
  const marked = [...screen.getByRole('menu').querySelectorAll('.menu-tick')]
  expect(marked.map(tick => [tick.parentElement!.textContent, tick === tick.parentElement!.lastElementChild])).toEqual([
    ['Fast', true],
    ['Dark', true],
  ])
})
