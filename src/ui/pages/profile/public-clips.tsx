import { useSignals } from '@preact/signals-react/runtime'
import { Copy, Link2Off } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Clip } from '../../../shared/api/marks'
import { formatTenths } from '../../../shared/duration'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/buttons'
import { Loaded } from '../../components/states'
import { Table } from '../../components/table'
import { formatDay } from '../../format-facts'
import { FormDialog } from '../../library/forms/form-dialog'
import { useCopyKey } from '../../library/forms/copy'
import { routes } from '../../routes'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'

/** The passages that strangers may hear, until each ends or is ended here. */
export function PublicClips() {
  useSignals()
  const { session, toasts } = useApp()
  const { clips } = useAdministrationApi()
  const { t } = useTranslation()
  const id = useId()
  const copy = useCopyKey()
  const list = useResource(clips.list, [])
  const [ending, setEnding] = useState<Clip | null>(null)
  if (!session.config.value?.publicClips) return null

  async function end({ id, title }: Clip) {
    await clips.end(id)
    toasts.done(t('public-clip-ended', { title }))
    void list.retry()
  }
  return (
    <section className="card padded below-28" aria-labelledby={id}>
      <h2 id={id}>{t('public-clips')}</h2>
      <Loaded resource={list} rows={1}>
        {all =>
          all.length === 0 ? (
            <p className="muted">{t('public-clips-none')}</p>
          ) : (
            <Table
              title={t('public-clips')}
              items={all}
              keyOf={clip => clip.id}
              columns={[
                { title: t('public-clip-title'), render: clip => <ClipTitle clip={clip} /> },
                { title: t('public-clip-ends'), render: clip => formatDay(clip.endsAt) },
              ]}
              renderActions={clip => (
                <>
                  <IconButton
                    icon={Copy}
                    label={t('copy-link-of', { name: clip.title })}
                    onClick={() => void copy(clip.url)}
                  />
                  <IconButton
                    icon={Link2Off}
                    label={t('public-clip-end', { title: clip.title })}
                    onClick={() => setEnding(clip)}
                  />
                </>
              )}
            />
          )
        }
      </Loaded>
      {ending && (
        <FormDialog
          isDanger
          title={t('public-clip-end', { title: ending.title })}
          action={t('public-clip-end-now')}
          onSubmit={() => end(ending)}
          onClose={() => setEnding(null)}
        >
          <p>{t('public-clip-end-text')}</p>
        </FormDialog>
      )}
    </section>
  )
}

const ClipTitle = ({ clip: { title, podcastName, podcastId, episode, start, end } }: { clip: Clip }) => (
  <span className="clip-title">
    <Link href={routes.episodes(podcastId, episode, start)} dir="auto">
      {title}
    </Link>
    <small className="block faint" dir="auto">
      {podcastName} · {formatTenths(start)}–{formatTenths(end)}
    </small>
  </span>
)
