import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import { useApp } from '../../app-context'
import { Failed } from '../../components/states'
import { HomeHeader } from '../../library/headers/home-header'
import { EmptyLibrary } from '../../library/podcasts/empty-library'
import { Hero, HeroSkeleton } from './hero'
import { NewEpisodes, NewEpisodesSkeleton, useNewEpisodes } from './new-episodes'
import { RecentlyAdded } from './recently-added'
import { HomeQueue } from './home-queue'
import { useHero } from './use-hero'
import './home-page.css'

/** Home page: what is in progress, then what is new, what plays next, and what came into the library last. */
export function HomePage() {
  useSignals()
  const { library, firstRun } = useApp()
  if (library.status.value === 'failed')
    return <Failed error={library.error.value} onRetry={() => void library.load()} />
  return (
    <>
      <HomeHeader />
      {firstRun.isShown.value ? <EmptyLibrary /> : <Sections />}
    </>
  )
}

function Sections() {
  const { cards, isFromFavourites } = useHero()
  const newEpisodes = useNewEpisodes()
  const [isListed, setListed] = useState(false)
  // What is below is loaded at the same time, and shown after the cards above, which would push it down.
  if (cards === null)
    return (
      <>
        <HeroSkeleton />
        <NewEpisodesSkeleton />
      </>
    )
  return (
    <>
      <Hero cards={cards} isFromFavourites={isFromFavourites} />
      <div className="home-columns">
        <NewEpisodes {...newEpisodes} onListed={() => setListed(true)} />
        <HomeQueue />
      </div>
      {isListed && <RecentlyAdded />}
    </>
  )
}
