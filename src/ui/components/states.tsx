import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { describeFailure } from '../failure'
import './components.css'

/** An error in words, with a button to try again. */
export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <section className="state faint middle stack gap-16" role="alert">
      <p className="flush">{describeFailure(error)}</p>
      <button type="button" className="secondary" onClick={onRetry}>
        {t('try-again')}
      </button>
    </section>
  )
}

type EmptyProps = { icon?: LucideIcon; children: ReactNode; action?: ReactNode }

/** The empty state of a page: one sentence, and one thing to do. */
export function Empty({ icon: Icon, children, action }: EmptyProps) {
  return (
    <section className="state faint middle stack gap-16">
      {Icon && (
        <span className="disc">
          <Icon size={24} strokeWidth={1.75} aria-hidden="true" />
        </span>
      )}
      <p className="flush">{children}</p>
      {action}
    </section>
  )
}

/**
 * Grey shapes in place of content that is loading. They appear after a moment, so that a fast answer does not flicker.
 */
export function Skeleton({ kind, count }: { kind: 'row' | 'tile'; count: number }) {
  const { t } = useTranslation()
  return (
    <div className={`skeleton skeleton-${kind}s`} role="status" aria-busy="true" aria-label={t('loading')}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={`skeleton-${kind} flip`} />
      ))}
    </div>
  )
}

type Props<T> = {
  resource: { data: T | null; error: unknown; retry: () => unknown }
  /** Rows of the skeleton. */
  rows: number
  children: (data: T) => ReactNode
}

/**
 * Shows data once they are loaded, until then a skeleton. A failure is shown with a button to try again, above older
 * data.
 */
export function Loaded<T>({ resource: { data, error, retry }, rows, children }: Props<T>) {
  if (data === null && error === null) return <Skeleton kind="row" count={rows} />
  return (
    <>
      {error !== null && <Failed error={error} onRetry={() => void retry()} />}
      {data !== null && children(data)}
    </>
  )
}
