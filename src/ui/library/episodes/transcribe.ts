import { transcriptionsApi } from '../../api/administration'
import type { AppState } from '../../app-context'
import { translate } from '../../i18n'

/** Has the file of an episode transcribed. A separate module, since few people ever need it. */
export async function transcribe({ client, toasts }: AppState, episodeId: string) {
  await transcriptionsApi(client).request(episodeId)
  toasts.done(translate('transcription-asked'))
}
