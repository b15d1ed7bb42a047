import { useSearchParams } from 'wouter'
import { Everybody } from './everybody'
import { PersonEpisodes } from './person-episodes'

/** Everybody whom feeds name, or the person of that name in the address. */
export function PeoplePage() {
  const [address] = useSearchParams()
  const name = address.get('name')
  return name ? <PersonEpisodes key={name} name={name} /> : <Everybody />
}
