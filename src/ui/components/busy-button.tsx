import type { ButtonHTMLAttributes } from 'react'

type Props = { isBusy: boolean } & ButtonHTMLAttributes<HTMLButtonElement>

/** A button that cannot be pressed again while its action runs. */
export function BusyButton({ isBusy, disabled = false, type = 'button', ...rest }: Props) {
  return <button type={type} aria-busy={isBusy} disabled={isBusy || disabled} {...rest} />
}
