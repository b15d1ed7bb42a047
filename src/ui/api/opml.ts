import type { Job, JobStarted, OpmlImport, OpmlOutline } from '../../shared/api/job'
import type { Client } from './client'

export type OpmlApi = ReturnType<typeof opmlApi>

export const opmlApi = (client: Client) => ({
  preview: (source: OpmlImport) => client.post<OpmlOutline[]>('/podcasts/opml/preview', source),
  start: (source: OpmlImport) => client.post<JobStarted>('/podcasts/opml', source),
  jobs: () => client.get<Job[]>('/jobs'),
  job: (id: string) => client.get<Job>(`/jobs/${id}`),
  cancel: (id: string) => client.remove(`/jobs/${id}`),
  /** Returns the text of an OPML file. */
  exported: (type: 'local' | 'online') => client.get<string>(`/settings/opml/${type}`),
})
