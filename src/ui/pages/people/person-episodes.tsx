import { UsersRound } from 'lucide-react'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { PersonPage } from '../../../shared/api/people'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { PageHeader } from '../../components/page-header'
import { Empty } from '../../components/states'
import { EpisodeList } from '../../library/episodes/episode-list'
import { useEpisodeList } from '../../library/episodes/use-episode-list'
import { NotFound } from '../../library/not-found'
import { Portrait } from '../../library/people/portrait'
import { routes } from '../../routes'
import { useResource } from '../../use-resource'
import './people-page.css'

/** A person, with the podcasts and the episodes that name them, the newest first. */
export function PersonEpisodes({ name }: { name: string }) {
  const { client, library } = useApp()
  const { t } = useTranslation()
  const { data, error } = useResource(
    (signal, wanted: string) => client.get<PersonPage>('/people/named', { name: wanted }, signal),
    [name],
  )
  const load = useCallback(
    async (cursor: string | null) => {
      const { data: items, nextCursor } = await client.page<EpisodeWrapper[]>('/people/named/episodes', {
        name,
        cursor,
      })
      return { items, next: nextCursor }
    },
    [client, name],
  )
  const list = useEpisodeList(null, load)
  if (error instanceof ApiError && error.status === 404) return <NotFound />
  return (
    <div className="page-list">
      <PageHeader title={name} back={{ to: routes.people, label: t('persons') }} />
      {data && (
        <div className="person-about">
          <Portrait name={data.name} picture={data.picture} />
          <span>
            {data.takesPartIn.length > 0 && (
              <span className="person-podcasts">
                {data.takesPartIn.map(podcast => (
                  <Link key={podcast.id} href={routes.episodes(podcast.id)} dir="auto">
                    {podcast.name}
                  </Link>
                ))}
              </span>
            )}
            <small className="numbers">{t('episodes-count', { count: data.episodes })}</small>
          </span>
        </div>
      )}
      <h2 className="visually-hidden">{t('episodes')}</h2>
      <EpisodeList
        list={list}
        podcastNameOf={({ podcastEpisode }) => library.byId.value.get(podcastEpisode.podcast_id)?.name ?? ''}
        showPodcast
        empty={<Empty icon={UsersRound}>{t('no-episodes-of-person')}</Empty>}
      />
    </div>
  )
}
