import { Link } from 'wouter'
import type { Podcast } from '../../../shared/api/podcast'
import { TagDot } from '../../library/tags/tag-dot'
import { routes } from '../../routes'

/** The podcast's tags, each a link to all podcasts with it. */
export function PodcastTags({ tags, onChosen }: Pick<Podcast, 'tags'> & { onChosen: () => void }) {
  if (tags.length === 0) return null
  return (
    <p className="about-tags">
      {tags.map(tag => (
        <Link key={tag.id} href={`${routes.podcasts}?tag=${tag.id}`} dir="auto" onClick={onChosen}>
          <TagDot color={tag.color} /> {tag.name}
        </Link>
      ))}
    </p>
  )
}
