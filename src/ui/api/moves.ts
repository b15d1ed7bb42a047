import type { Move, MoveOptions, MovePodcast, MoveSource, NewMove } from '../../shared/api/move'
import type { Client } from './client'

export type MovesApi = ReturnType<typeof movesApi>

export const movesApi = (client: Client) => ({
  list: () => client.get<Move[]>('/moves'),
  sources: () => client.get<MoveSource[]>('/moves/sources'),
  start: (move: NewMove) => client.post<Move>('/moves', move),
  get: (id: string) => client.get<Move>(`/moves/${id}`),
  podcasts: (id: string) => client.get<MovePodcast[]>(`/moves/${id}/podcasts`),
  upload: (id: string, offset: number, part: Blob) => client.put<Move>(`/moves/${id}/file?offset=${offset}`, part),
  choose: (id: string, options: MoveOptions) => client.put<Move>(`/moves/${id}/options`, options),
  begin: (id: string) => client.post<Move>(`/moves/${id}/begin`),
  retry: (id: string) => client.post<Move>(`/moves/${id}/retry`),
  undo: (id: string) => client.post<Move>(`/moves/${id}/undo`),
  drop: (id: string) => client.remove(`/moves/${id}`),
})
