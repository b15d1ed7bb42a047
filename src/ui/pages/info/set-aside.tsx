import { useTranslation } from 'react-i18next'
import type { SetAsideItem } from '../../../shared/api/set-aside'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/busy-button'
import { useAction } from '../../components/use-action'
import { formatRelative } from '../../format'
import { useAdministrationApi } from '../../use-administration'

/** Kinds of which there is one item: its label says no more. */
const single: ReadonlySet<SetAsideItem['kind']> = new Set(['backup', 'check'])

/** Work that the server no longer begins, since it stopped twice in the middle of it; each can be tried again. */
export function SetAside({ items, onRetried }: { items: readonly SetAsideItem[]; onRetried: () => void }) {
  const { t } = useTranslation()
  if (items.length === 0) return null
  return (
    <section>
      <h2>{t('set-aside')}</h2>
      <p className="muted">{t('set-aside-text')}</p>
      <ul className="info-set-aside">
        {items.map(item => (
          <Item key={`${item.kind} ${item.key}`} item={item} onRetried={onRetried} />
        ))}
      </ul>
    </section>
  )
}

function Item({ item, onRetried }: { item: SetAsideItem; onRetried: () => void }) {
  const { failed } = useApp()
  const { t } = useTranslation()
  const { setAside } = useAdministrationApi()
  const retrying = useAction(() => setAside.retry(item).then(onRetried), failed)
  const kind = t(`set-aside-kind.${item.kind}`)
  const isNamed = item.label !== '' && !single.has(item.kind)
  // Of many buttons, a screen reader says what each is for.
  const name = `${t('try-again')}: ${isNamed ? item.label : kind}`
  return (
    <li>
      <span>
        {isNamed ? <bdi>{item.label}</bdi> : kind}
        <span className="muted">
          {isNamed && `${kind} · `}
          {formatRelative(item.since)}
        </span>
      </span>
      <BusyButton className="secondary small" aria-label={name} isBusy={retrying.isBusy} onClick={() => retrying.run()}>
        {t('try-again')}
      </BusyButton>
    </li>
  )
}
