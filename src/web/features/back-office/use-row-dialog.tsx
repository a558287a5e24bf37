import { type ReactNode, useState } from 'react'

/**
 * A dialog about a row of a list, to be rendered beside the list. It keeps the row as it was when it was opened, and
 * stays when the list is read again without that row: after another admin's decision, or a lost answer, it says so.
 */
export function useRowDialog<Row>(render: (row: Row, onClose: () => void) => ReactNode) {
  const [opened, setOpened] = useState<{ row: Row }>()
  return {
    open: (row: Row) => setOpened({ row }),
    dialog: opened && render(opened.row, () => setOpened(undefined)),
  }
}
