import type { NewSkipMark, SkipMark } from '../../shared/api/skip-mark'
import type { Client } from './client'

export const skipMarksApi = (client: Client) => ({
  ofEpisode: (episode: string) => client.get<SkipMark[]>('/skip-marks', { episode }),
  add: (mark: NewSkipMark) => client.post<SkipMark>('/skip-marks', mark),
  remove: (id: string) => client.remove(`/skip-marks/${id}`),
})
