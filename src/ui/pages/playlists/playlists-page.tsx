import { LayoutGrid, List, ListVideo, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Playlist, PlaylistSummary } from '../../../shared/api/playlist'
import { useApp } from '../../app-context'
import { SegmentedChoice } from '../../components/segments'
import { Empty, Failed, Skeleton } from '../../components/states'
import { FormDialog } from '../../library/forms/form-dialog'
import { HomeHeader } from '../../library/headers'
import { PlaylistWizard } from '../../library/playlists'
import { usePlaylistEditor } from '../../library/playlists/use-playlist-editor'
import { useRemembered } from '../../components/use-remembered'
import { useResource } from '../../use-resource'
import { PlaylistHero } from './playlist-hero'
import { PlaylistMenu } from './playlist-menu'
import { PlaylistTable } from './playlist-table'
import { PlaylistTiles } from './playlist-tiles'
import './playlists.css'
import { Suggestions } from './suggestions'
import { useDeletion } from './use-deletion'

const views = ['covers', 'table'] as const
type View = (typeof views)[number]

/** The user's playlists: the one that was played last, and all of them as covers or as a table. */
export function PlaylistsPage() {
  const { api, changes } = useApp()
  const playlistEditor = usePlaylistEditor()
  const { t } = useTranslation()
  const playlists = useResource(api.playlists.list, [])
  const last = useLastPlayed()
  const reload = () => void Promise.all([playlists.retry(), last.retry()])
  const { data, error } = playlists
  const { retry } = playlists
  const { retry: retryLast } = last
  useEffect(
    () =>
      changes.listenToLists(playlist => {
        if (playlist !== null) void Promise.all([retry(), retryLast()])
      }),
    [changes, retry, retryLast],
  )
  const add = (
    <button type="button" className="with-icon" onClick={() => playlistEditor.begin(null)}>
      <Plus size={18} aria-hidden="true" />
      {t('add-new')}
    </button>
  )
  return (
    <>
      <HomeHeader title={t('playlists')}>{data !== null && data.length > 0 && add}</HomeHeader>
      {error !== null && <Failed error={error} onRetry={() => void playlists.retry()} />}
      {data === null && error === null && <Skeleton kind="tile" count={6} />}
      {data?.length === 0 && (
        <>
          <Empty icon={ListVideo} action={add}>
            {t('no-playlists')}
          </Empty>
          <Suggestions onKept={reload} />
        </>
      )}
      {data !== null && data.length > 0 && <Lists playlists={data} last={last.data} onChanged={reload} />}
      <PlaylistWizard onSaved={reload} />
    </>
  )
}

/** The playlist that was played last, with its episodes as they are played; null = none, or it is gone. */
function useLastPlayed() {
  const { api, changes, lastPlaylist } = useApp()
  const id = lastPlaylist()
  const last = useResource(
    async (_, wanted: string | null) => (wanted === null ? null : api.playlists.find(wanted).catch(() => null)),
    [id],
  )
  const { change, retry } = last
  useEffect(
    () =>
      changes.listen({
        edit: edit => change(playlist => playlist && { ...playlist, items: playlist.items.map(edit) }),
        stale: () => void retry(),
      }),
    [changes, change, retry],
  )
  return last
}

type Props = { playlists: readonly PlaylistSummary[]; last: Playlist | null; onChanged: () => void }

function Lists({ playlists, last, onChanged }: Props) {
  const { t } = useTranslation()
  const [view, setView] = useRemembered<View>('playlists.view', views, isWide() ? 'table' : 'covers')
  const [asked, setAsked] = useState<PlaylistSummary | null>(null)
  const { isLong, remove } = useDeletion(onChanged)
  const onRemove = (playlist: PlaylistSummary) => (isLong(playlist) ? setAsked(playlist) : void remove(playlist))
  const hero = last && last.items.length > 0 && playlists.find(({ id }) => id === last.id)
  return (
    <>
      {hero && <PlaylistHero playlist={last} menu={<PlaylistMenu playlist={hero} onRemove={onRemove} />} />}
      <Suggestions onKept={onChanged} />
      <section aria-labelledby="your-playlists">
        <div className="playlists-heading row gap-8">
          <h2 className="flush grow" id="your-playlists">
            {t('your-playlists')} <span className="regular faint numbers">{playlists.length}</span>
          </h2>
          <div className="above-phone">
            <SegmentedChoice
              label={t('view')}
              value={view}
              onChange={setView}
              choices={[
                { value: 'covers', label: t('view-covers'), icon: <LayoutGrid size={16} aria-hidden="true" /> },
                { value: 'table', label: t('view-table'), icon: <List size={16} aria-hidden="true" /> },
              ]}
            />
          </div>
        </div>
        {view === 'table' && !isPhone() ? (
          <PlaylistTable playlists={playlists} onRemove={onRemove} />
        ) : (
          <PlaylistTiles playlists={playlists} onRemove={onRemove} />
        )}
      </section>
      {asked && <RemoveDialog playlist={asked} onRemove={() => remove(asked)} onClose={() => setAsked(null)} />}
    </>
  )
}

const isWide = () => matchMedia('(width >= 1024px)').matches
const isPhone = () => matchMedia('(width < 768px)').matches

type RemoveProps = { playlist: PlaylistSummary; onRemove: () => Promise<void>; onClose: () => void }

function RemoveDialog({ playlist: { name }, onRemove, onClose }: RemoveProps) {
  const { t } = useTranslation()
  return (
    <FormDialog
      isDanger
      title={t('delete-playlist-title', { name })}
      action={t('delete')}
      onSubmit={onRemove}
      onClose={onClose}
    >
      <p>{t('delete-playlist-text')}</p>
    </FormDialog>
  )
}
