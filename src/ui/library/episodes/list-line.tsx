import { useSignals } from '@preact/signals-react/runtime'
import { SquareCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { PagedList } from '../../state/paged-list'
import type { Selection } from '../../state/selection'
import { SelectionBar } from './use-episode-selection'
import './episode-list.css'
import './lists.css'

type Props = {
  /** The chips. */
  children: ReactNode
  /** The list whose rows can be selected. */
  list?: Pick<PagedList<EpisodeWrapper>, 'items'>
  selection?: Selection<EpisodeWrapper>
}

/** The line above a list: its chips, and while rows are being selected, the actions on them. */
export function ListLine({ children, list, selection }: Props) {
  useSignals()
  const { t } = useTranslation()
  return (
    <div className="list-line above-list sticky row gap-8">
      {list && selection?.isActive.value ? <SelectionBar selection={selection} list={list} /> : children}
      {selection && !selection.isActive.value && (
        <button
          type="button"
          className="secondary small with-icon"
          aria-label={t('select')}
          title={t('select')}
          onClick={selection.begin}
        >
          <SquareCheck size={16} aria-hidden="true" />
          <span className="above-phone">{t('select')}</span>
        </button>
      )}
    </div>
  )
}
