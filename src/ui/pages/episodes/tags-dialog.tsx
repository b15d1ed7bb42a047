import { useSignals } from '@preact/signals-react/runtime'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { Check } from '../../components/fields'
import { Dialog } from '../../components/dialog'
import { Empty } from '../../components/states'
import { TagDot } from '../../library/tags/tag-dot'
import { routes } from '../../routes'

/** Gives a podcast tags, and takes them away. Each change is saved at once. */
export function TagsDialog({ podcast, onClose }: { podcast: Podcast; onClose: () => void }) {
  useSignals()
  const { tags, failed } = useApp()
  const { t } = useTranslation()
  useEffect(() => void tags.load(), [tags])
  return (
    <Dialog title={t('tags-of', { name: podcast.name })} onClose={onClose}>
      {close => (
        <>
          {tags.all.value?.length === 0 && <Empty>{t('no-tags')}</Empty>}
          {tags.all.value?.map(tag => (
            <Check
              key={tag.id}
              isOn={podcast.tags.some(({ id }) => id === tag.id)}
              onChange={isOn => void tags.assign(tag, podcast.id, isOn).catch(failed)}
            >
              <TagDot color={tag.color} /> {tag.name}
            </Check>
          ))}
          <footer>
            <Link href={routes.tags} role="button" className="secondary" onClick={close}>
              {t('manage-tags')}
            </Link>
            <button type="button" onClick={close}>
              {t('done')}
            </button>
          </footer>
        </>
      )}
    </Dialog>
  )
}
