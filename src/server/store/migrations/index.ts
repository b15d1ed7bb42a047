import library from './0001-library.sql' with { type: 'text' }
import accounts from './0002-accounts.sql' with { type: 'text' }
import lists from './0003-lists.sql' with { type: 'text' }
import texts from './0004-texts.sql' with { type: 'text' }
import settings from './0005-settings.sql' with { type: 'text' }
import bookmarks from './0006-bookmarks.sql' with { type: 'text' }
import sync from './0007-sync.sql' with { type: 'text' }
import appData from './0008-app-data.sql' with { type: 'text' }
import forgottenFiles from './0009-forgotten-files.sql' with { type: 'text' }
import identity from './0010-identity.sql' with { type: 'text' }
import media from './0011-media.sql' with { type: 'text' }
import announcements from './0012-announcements.sql' with { type: 'text' }
import syncPhones from './0013-sync-phones.sql' with { type: 'text' }
import podcastPage from './0014-podcast-page.sql' with { type: 'text' }
import coverColors from './0015-cover-colors.sql' with { type: 'text' }
import skipLengths from './0016-skip-lengths.sql' with { type: 'text' }
import episodeLists from './0017-episode-lists.sql' with { type: 'text' }
import podcastList from './0018-podcast-list.sql' with { type: 'text' }
import plans from './0019-plans.sql' with { type: 'text' }
import fewOfTheTimeline from './0020-few-of-the-timeline.sql' with { type: 'text' }
import newestTitles from './0021-newest-titles.sql' with { type: 'text' }
import moves from './0022-moves.sql' with { type: 'text' }
import peopleOfAMove from './0023-people-of-a-move.sql' with { type: 'text' }
import movedFiles from './0024-moved-files.sql' with { type: 'text' }
import undoOfMoves from './0025-undo-of-moves.sql' with { type: 'text' }
import moveArrivals from './0026-move-arrivals.sql' with { type: 'text' }
import mediaStorage from './0027-media-storage.sql' with { type: 'text' }
import filesAndUpdates from './0028-files-and-updates.sql' with { type: 'text' }
import appSessions from './0029-app-sessions.sql' with { type: 'text' }
import playSessions from './0030-play-sessions.sql' with { type: 'text' }
import smartPlaylists from './0031-smart-playlists.sql' with { type: 'text' }
import queueByItself from './0032-queue-by-itself.sql' with { type: 'text' }
import transcriptions from './0033-transcriptions.sql' with { type: 'text' }
import skipMarks from './0034-skip-marks.sql' with { type: 'text' }
import destinations from './0035-destinations.sql' with { type: 'text' }
import signIn from './0036-sign-in.sql' with { type: 'text' }
import assistantsAndClips from './0037-assistants-and-clips.sql' with { type: 'text' }
import keptEpisodes from './0038-kept-episodes.sql' with { type: 'text' }
import noStatistics from './0039-no-statistics.sql' with { type: 'text' }
import removals from './0042-removals.sql' with { type: 'text' }
import looksOfNames from './0045-looks-of-names.sql' with { type: 'text' }
import renewalsUsedTwice from './0046-renewals-used-twice.sql' with { type: 'text' }
import begunWork from './0047-begun-work.sql' with { type: 'text' }
import audit from './0048-audit.sql' with { type: 'text' }
import guessing from './0049-guessing.sql' with { type: 'text' }
import auditFacts from './0050-audit-facts.sql' with { type: 'text' }
import documentFormats from './0055-document-formats.sql' with { type: 'text' }
import guidEvidence from './0056-guid-evidence.sql' with { type: 'text' }
import twins from './0057-twins.sql' with { type: 'text' }
import people from './0058-people.sql' with { type: 'text' }
import playables from './0059-playables.sql' with { type: 'text' }
import authors from './0061-authors.sql' with { type: 'text' }
import publishedAgain from './0060-published-again.sql' with { type: 'text' }
import openLists from './0062-open-lists.sql' with { type: 'text' }
import wordsOfTheIndex from './0063-words-of-the-index.sql' with { type: 'text' }
import transcriptsAtAGlance from './0064-transcripts-at-a-glance.sql' with { type: 'text' }
import readItems from './0065-read-items.sql' with { type: 'text' }
import foldedWords from './0066-folded-words.sql' with { type: 'text' }
import fewerMerges from './0067-fewer-merges.sql' with { type: 'text' }
import newEpisodes from './0068-new-episodes.sql' with { type: 'text' }
import nextKey from './0069-next-key.sql' with { type: 'text' }
import rewind from './0070-rewind.sql' with { type: 'text' }
import keepNext from './0071-keep-next.sql' with { type: 'text' }
import newsOfPodcasts from './0072-news-of-podcasts.sql' with { type: 'text' }
import readClaims from './0073-read-claims.sql' with { type: 'text' }
import playlistDescriptions from './0074-playlist-descriptions.sql' with { type: 'text' }
import suggestions from './0075-suggestions.sql' with { type: 'text' }
import guests from './0076-guests.sql' with { type: 'text' }
import endedSignIns from './0077-ended-sign-ins.sql' with { type: 'text' }
import listenedSaved from './0078-listened-saved.sql' with { type: 'text' }
import providerSessions from './0079-provider-sessions.sql' with { type: 'text' }
import guestsOfAccounts from './0080-guests-of-accounts.sql' with { type: 'text' }
import keysForAssistants from './0081-keys-for-assistants.sql' with { type: 'text' }
import ownSilence from './0082-own-silence.sql' with { type: 'text' }
import playedPlaylists from './0083-played-playlists.sql' with { type: 'text' }
import loudness from './0084-loudness.sql' with { type: 'text' }
import serversOfMoves from './0085-servers-of-moves.sql' with { type: 'text' }
import providersAppSessions from './0086-providers-app-sessions.sql' with { type: 'text' }
import refusalsOfMoves from './0087-refusals-of-moves.sql' with { type: 'text' }
import newestOfAll from './0088-newest-of-all.sql' with { type: 'text' }

/** In order; a released migration is never edited, only followed by another. */
export const migrations: readonly string[] = [
  library,
  accounts,
  lists,
  texts,
  settings,
  bookmarks,
  sync,
  appData,
  forgottenFiles,
  identity,
  media,
  announcements,
  syncPhones,
  podcastPage,
  coverColors,
  skipLengths,
  episodeLists,
  podcastList,
  plans,
  fewOfTheTimeline,
  newestTitles,
  moves,
  peopleOfAMove,
  movedFiles,
  undoOfMoves,
  moveArrivals,
  mediaStorage,
  filesAndUpdates,
  appSessions,
  playSessions,
  smartPlaylists,
  queueByItself,
  transcriptions,
  skipMarks,
  destinations,
  signIn,
  assistantsAndClips,
  keptEpisodes,
  noStatistics,
  removals,
  looksOfNames,
  renewalsUsedTwice,
  begunWork,
  audit,
  guessing,
  auditFacts,
  documentFormats,
  guidEvidence,
  twins,
  people,
  playables,
  authors,
  publishedAgain,
  openLists,
  wordsOfTheIndex,
  transcriptsAtAGlance,
  readItems,
  foldedWords,
  fewerMerges,
  newEpisodes,
  nextKey,
  rewind,
  keepNext,
  newsOfPodcasts,
  readClaims,
  playlistDescriptions,
  suggestions,
  guests,
  endedSignIns,
  listenedSaved,
  providerSessions,
  guestsOfAccounts,
  keysForAssistants,
  ownSilence,
  playedPlaylists,
  loudness,
  serversOfMoves,
  providersAppSessions,
  refusalsOfMoves,
  newestOfAll,
]
