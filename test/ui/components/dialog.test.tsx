import { render } from '@testing-library/react'
import { expect, test } from 'bun:test'
import { Dialog } from '../../../src/ui/components/dialog'

test('a dialog that closes inside another leaves the other open', () => {
  const closed: string[] = []
  const { getAllByRole } = render(
    <Dialog title="outer" onClose={() => void closed.push('outer')}>
      {() => (
        <Dialog title="inner" onClose={() => void closed.push('inner')}>
          {() => null}
        </Dialog>
      )}
    </Dialog>,
  )
  const [outer, inner] = getAllByRole('dialog') as HTMLDialogElement[]
  inner!.close()
  expect(closed).toEqual(['inner'])
  outer!.close()
  expect(closed).toEqual(['inner', 'outer'])
})
