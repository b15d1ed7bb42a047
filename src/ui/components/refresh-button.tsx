import { RefreshCw } from 'lucide-react'
import { IconButton } from './icon-button'

type Props = { label: string; busyLabel: string; isBusy: boolean; onClick: () => void }

/** Refreshes something; turns while it does. */
export const RefreshButton = ({ label, busyLabel, isBusy, onClick }: Props) => (
  <IconButton
    icon={RefreshCw}
    label={isBusy ? busyLabel : label}
    className={isBusy ? 'is-turning' : ''}
    disabled={isBusy}
    onClick={onClick}
  />
)
