import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { Table } from '../../../src/ui/components/table'

const towns = [
  { id: 1, name: 'Husum', people: 24_000 },
  { id: 2, name: 'Esbjerg', people: 71_000 },
]
const columns = [
  { title: 'Town', render: (town: (typeof towns)[number]) => town.name },
  { title: 'People', render: (town: (typeof towns)[number]) => town.people },
] as const
const keyOf = ({ id }: { id: number }) => id

test('the first column names the row, and every other cell its column, for cards on phones', () => {
  render(<Table title="Towns" items={towns} keyOf={keyOf} columns={columns} />)
  expect(screen.getAllByRole('rowheader').map(cell => cell.textContent)).toEqual(['Husum', 'Esbjerg'])
  expect(screen.getAllByRole('cell').map(cell => cell.getAttribute('data-label'))).toEqual(['People', 'People'])
  expect(screen.getByRole('table').querySelector('caption')?.textContent).toBe('Towns')
})

test('without actions there is no column for them', () => {
  const { rerender } = render(<Table title="Towns" items={towns} keyOf={keyOf} columns={columns} />)
  expect(screen.getAllByRole('columnheader').map(cell => cell.textContent)).toEqual(['Town', 'People'])

  const renderActions = ({ name }: { name: string }) => <button type="button">{`Leave ${name}`}</button>
  rerender(<Table title="Towns" items={towns} keyOf={keyOf} columns={columns} renderActions={renderActions} />)
  expect(screen.getAllByRole('columnheader').length).toBe(3)
  const [, , esbjerg] = screen.getAllByRole('row')
  expect(within(esbjerg!).getByRole('button').textContent).toBe('Leave Esbjerg')
})
