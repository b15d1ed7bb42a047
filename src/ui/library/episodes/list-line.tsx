import { useSignals } from '@preact/signals-react/runtime'
import { SquareCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { MatchingEpisodes } from '../../../shared/api/matching'
import type { Selection } from '../../state/selection'
import { SelectionBar } from './use-episode-list'
import type { EpisodeRows } from './use-episode-window'
import './episode-list.css'
import './lists.css'

type Props = {
  /** The chips. */
  children: ReactNode
  /** The list whose rows can be selected. */
  list?: Pick<EpisodeRows, 'items' | 'length'>
  selection?: Selection<EpisodeWrapper>
  /** The list as a filter. */
  matching?: MatchingEpisodes
}

/** The line above a list: its chips, and while rows are being selected, the actions on them. */
export function ListLine({ children, list, selection, matching }: Props) {
  useSignals()
  const { t } = useTranslation()
  if (list && selection?.isActive.value) return <SelectionBar selection={selection} list={list} matching={matching} />
  return (
    <div className="list-line above-list sticky row gap-8">
      {children}
      {selection && (
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
