import { FileUp } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { BusyButton } from '../../components/buttons'
import type { ListOfFeeds } from '../../device/read-list'

type Props = {
  label: string
  className?: string
  isBusy: boolean
  /** Shown in place of an icon and the label. */
  children?: ReactNode
  onRead: (list: ListOfFeeds) => void
}

/** Lets a person choose an OPML file, and reads it. */
export function OpmlFileButton({ label, className = '', isBusy, children, onRead }: Props) {
  const file = useRef<HTMLInputElement>(null)
  return (
    <>
      <BusyButton
        className={children ? className : `with-icon ${className}`}
        isBusy={isBusy}
        onClick={() => file.current?.click()}
      >
        {children ?? (
          <>
            <FileUp size={18} aria-hidden="true" />
            {label}
          </>
        )}
      </BusyButton>
      <input
        ref={file}
        type="file"
        hidden
        aria-label={label}
        accept=".opml,.xml,text/x-opml,text/xml,application/xml"
        onChange={async event => {
          const [chosen] = event.target.files ?? []
          // The same file can be chosen again.
          event.target.value = ''
          if (chosen) onRead(await (await import('../../device/read-list')).readList(chosen))
        }}
      />
    </>
  )
}
