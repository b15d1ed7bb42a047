# The client library of Music Assistant, as that uses it: signs in, reads the library, plays, hears what changes. Its
# objects fail where a field is missing or of another type. Usage: library.py <address> <username> <password>
import asyncio
import logging
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "sync"))

import aiohttp
import aioaudiobookshelf
from aioaudiobookshelf.client.session_configuration import SessionConfiguration
from aioaudiobookshelf.exceptions import AbsError, LoginError, SessionNotFoundError
from aioaudiobookshelf.schema.calls_items import PlaybackSessionParameters
from aioaudiobookshelf.schema.calls_playlists import CreatePlaylistParameters, UpdatePlaylistParameters
from aioaudiobookshelf.schema.calls_session import SyncOpenSessionParameters
from aioaudiobookshelf.schema.playlist import PlaylistItem
from aioaudiobookshelf.schema.session import DeviceInfo
from checks import check, finish, server

address, username, password = sys.argv[1:4]
SECONDS = 20


class Problems(logging.Handler):
    """What the library only writes to its log."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage() + (" " + reason(record.exc_info[1]) if record.exc_info else ""))


class Heard:
    """Events of one kind, in their order."""

    def __init__(self):
        self.queue = asyncio.Queue()

    async def note(self, *values):
        await self.queue.put(values)

    async def next(self, fits=lambda *values: True):
        async def find():
            while True:
                values = await self.queue.get()
                if fits(*values):
                    return values

        try:
            return await asyncio.wait_for(find(), SECONDS)
        except asyncio.TimeoutError:
            return None


def configuration(session, problems):
    logger = logging.getLogger("client")
    logger.propagate = False
    logger.addHandler(problems)
    return SessionConfiguration(session=session, url=address, pagination_items_per_page=2, logger=logger)


def reason(error):
    """Why a call failed: the kinds of errors, from the outermost, and the fields that could not be read."""
    words = []
    while error is not None:
        words.append(type(error).__name__ + (" " + error.field_name if hasattr(error, "field_name") else ""))
        error = error.__cause__ or error.__context__
    return " ← ".join(words)


async def attempt(name, work):
    """Checks that a call succeeds, which includes that its answer can be read; gives the answer."""
    try:
        answer = await work
    except AbsError as error:
        check(f"{name}: {reason(error)}", False)
        return None
    check(name, True)
    return answer


async def all_pages(pages):
    return [page async for page in pages]


def device(name):
    return PlaybackSessionParameters(
        device_info=DeviceInfo(device_id=name, client_name="Music Assistant", client_version="2"),
        supported_mime_types=["audio/mpeg"],
        media_player="mass",
    )


async def read_library(client, library_id):
    calls = {
        "the library with its filters": client.get_library_with_filterdata(library_id=library_id),
        "the filters": client.get_library_filterdata(library_id=library_id),
        "the authors": client.get_library_authors(library_id=library_id),
        "the narrators": client.get_library_narrators(library_id=library_id),
        "the shelves": client.get_library_personalized_view(library_id=library_id),
        "the series": all_pages(client.get_library_series(library_id=library_id)),
        "the collections": all_pages(client.get_library_collections(library_id=library_id)),
        "the playlists": all_pages(client.get_library_playlists(library_id=library_id)),
        "all playlists": client.get_all_playlists(),
        "what is in progress": client.get_my_items_in_progress(),
        "the user": client.get_my_user(),
        "the sessions": all_pages(client.get_my_listening_sessions()),
    }
    answers = {}
    for name, call in calls.items():
        answers[name] = await attempt("reads " + name, call)
    return answers


async def read_items(client, library_id):
    pages = await attempt("reads the items page by page", all_pages(client.get_library_items(library_id=library_id))) or []
    items = [item for page in pages for item in page.results]
    check("gets each of the three podcasts once", len({item.id_ for item in items}) == len(items) == 3)
    check("the total is the same on each page", {page.total for page in pages} == {3})
    ids = [item.id_ for item in items]
    batch = await attempt("reads the items at once", client.get_library_item_batch_podcast(item_ids=ids))
    check("which are all of them", batch is not None and [item.id_ for item in batch] == ids)
    for item in items:
        for expanded in (False, True):
            call = client.get_library_item_podcast(podcast_id=item.id_, expanded=expanded)
            await attempt(f"reads {item.media.metadata.title}, expanded: {expanded}", call)
    chosen = next(item for item in items if item.media.metadata.title == "Morning Show")
    item = await attempt("opens a podcast", client.get_library_item_podcast(podcast_id=chosen.id_, expanded=True))
    if item is None:
        finish()
    episode = item.media.episodes[0]
    await attempt("reads an episode", client.get_podcast_episode(podcast_id=item.id_, episode_id=episode.id_))
    return item, episode


async def play(client, other, item, episode, heard):
    """Plays on one client, while the other one hears of it."""
    call = client.get_playback_session(session_parameters=device("one"), item_id=item.id_, episode_id=episode.id_)
    session = await attempt("begins to play", call)
    if session is None:
        return
    check("has one track", len(session.audio_tracks) == 1)
    url = session.audio_tracks[0].content_url
    config = client.session_config
    async with config.session.get(config.url_for(url), params={"token": client.token}) as response:
        body = await response.read()
        check("gets the file of the track", response.status == 200 and len(body) > 1000)
    async with config.session.get(
        config.url_for(url), params={"token": client.token}, headers={"Range": "bytes=10-19"}
    ) as response:
        check("gets a part of it", response.status == 206 and await response.read() == body[10:20])

    parameters = SyncOpenSessionParameters(current_time=30, time_listened=30, duration=session.duration)
    await attempt("syncs the session", client.sync_open_session(session_id=session.id_, parameters=parameters))
    told = await heard["progress"].next(lambda _, progress: progress.current_time == 30)
    check("the other client hears the position", told is not None and told[1].episode_id == episode.id_)
    progress = await attempt("asks for the position", other.get_my_media_progress(item_id=item.id_, episode_id=episode.id_))
    check("which is the same", progress is not None and progress.current_time == 30)
    again = await attempt("reads the session again", client.get_open_session(session_id=session.id_))
    check("which is where it was", again is not None and again.current_time == 30)
    waiting = await attempt("asks what is in progress", other.get_my_items_in_progress()) or []
    check("which has the podcast", item.id_ in [one.id_ for one in waiting])
    await attempt("closes the session", client.close_open_session(session_id=session.id_, parameters=parameters))
    try:
        await client.get_open_session(session_id=session.id_)
        check("a closed session is gone", False)
    except SessionNotFoundError:
        check("a closed session is gone", True)


async def mark(client, item, episode, heard):
    where = {"item_id": item.id_, "episode_id": episode.id_}
    call = client.update_my_media_progress(**where, duration_seconds=120, progress_seconds=60, is_finished=False)
    await attempt("sets a position in three calls", call)
    progress = await client.get_my_media_progress(**where)
    check("which is kept", progress is not None and (progress.current_time, progress.is_finished) == (60, False))
    call = client.update_my_media_progress(**where, duration_seconds=120, progress_seconds=120, is_finished=True)
    await attempt("marks as played", call)
    progress = await client.get_my_media_progress(**where)
    check("which is kept as well", progress is not None and progress.is_finished)
    call = client.remove_my_media_progress(media_progress_id=progress.id_)
    await attempt("marks as unplayed", call)
    check("and there is no position any more", await client.get_my_media_progress(**where) is None)
    told = await heard["user"].next(lambda user: episode.id_ not in [one.episode_id for one in user.media_progress])
    check("and the user is told so", told is not None)


async def keep_playlists(client, library_id, item, episode, heard):
    entry = PlaylistItem(library_item_id=item.id_, episode_id=episode.id_)
    parameters = CreatePlaylistParameters(library_id=library_id, name="Evening", items=[entry])
    made = await attempt("makes a playlist", client.create_playlist(parameters=parameters))
    if made is None:
        return
    check("which has the episode", [one.episode_id for one in made.items] == [episode.id_])
    told = await heard["list added"].next(lambda one: one.id_ == made.id_)
    check("and is told of", told is not None and told[0].name == "Evening")
    call = client.update_playlist(playlist_id=made.id_, parameters=UpdatePlaylistParameters(name="Night"))
    await attempt("renames it", call)
    check("and is told so", await heard["list updated"].next(lambda one: one.name == "Night") is not None)
    await attempt("reads it", client.get_playlist(playlist_id=made.id_))
    await attempt("takes the episode out", client.remove_item_from_playlist(playlist_id=made.id_, item=entry))
    check("and is told that it is gone", await heard["list removed"].next(lambda one: one.id_ == made.id_) is not None)


async def main():
    problems = Problems()
    kinds = ("progress", "user", "added", "updated", "removed", "download", "list added", "list updated", "list removed")
    heard = {name: Heard() for name in kinds}
    async with aiohttp.ClientSession() as session, aiohttp.ClientSession() as second:
        try:
            await aioaudiobookshelf.get_user_client(
                session_config=configuration(session, problems), username=username, password="wrong"
            )
            check("a wrong password is refused", False)
        except LoginError:
            check("a wrong password is refused", True)
        pair = await attempt(
            "signs in",
            aioaudiobookshelf.get_user_and_socket_client(
                session_config=configuration(session, problems), username=username, password=password
            ),
        )
        other = await attempt(
            "signs in elsewhere",
            aioaudiobookshelf.get_user_client(
                session_config=configuration(second, problems), username=username, password=password
            ),
        )
        if pair is None or other is None:
            return
        client, socket = pair
        socket.set_user_callbacks(
            on_user_updated=heard["user"].note, on_user_item_progress_updated=heard["progress"].note
        )
        socket.set_item_callbacks(
            on_item_added=heard["added"].note,
            on_item_updated=heard["updated"].note,
            on_item_removed=heard["removed"].note,
        )
        socket.set_podcast_episode_callbacks(on_episode_download_finished=heard["download"].note)
        socket.set_playlist_callbacks(
            on_playlist_added=heard["list added"].note,
            on_playlist_updated=heard["list updated"].note,
            on_playlist_removed=heard["list removed"].note,
        )
        signed_in = asyncio.Event()
        await socket.init_client()
        own_init = socket._on_init

        async def on_init(*values):
            await own_init(*values)
            signed_in.set()

        socket.client.on("init", handler=on_init)
        await socket._authenticate()
        await asyncio.wait_for(signed_in.wait(), SECONDS)
        check("the socket connects by polling, is upgraded and signed in", socket.client.transport() == "websocket")

        libraries = await attempt("reads the libraries", client.get_all_libraries()) or []
        check("there is one, of podcasts", [library.media_type.value for library in libraries] == ["podcast"])
        library_id = libraries[0].id_
        await attempt("reads the library", client.get_library(library_id=library_id))
        await read_library(client, library_id)
        item, episode = await read_items(client, library_id)
        await play(other, client, item, episode, heard)
        await read_library(client, library_id)
        await mark(client, item, episode, heard)
        await keep_playlists(client, library_id, item, episode, heard)

        server("add")
        told = await heard["added"].next()
        check("hears of a new podcast, complete", told is not None and len(told[0].media.episodes) == 2)
        server("update")
        told = await heard["updated"].next(lambda one: len(one.media.episodes) == 3)
        check("hears of a new episode, complete", told is not None)
        server("download")
        check("hears that a download has ended", await heard["download"].next(lambda one: one.is_finished) is not None)
        server("remove")
        check("hears that a podcast is gone", await heard["removed"].next() is not None)

        tokens = client.session_config.access_token, client.session_config.refresh_token
        await attempt("renews its access", client.refresh())
        check("both tokens are new", tokens[0] != client.session_config.access_token and tokens[1] != client.session_config.refresh_token)
        signed_in.clear()
        await socket._authenticate()
        await asyncio.wait_for(signed_in.wait(), SECONDS)
        check("the socket takes the new token", True)

        signed_in.clear()
        server("stop")
        server("start")
        await asyncio.wait_for(signed_in.wait(), SECONDS)
        check("the socket comes back after a restart of the server", True)
        await attempt("is still signed in", client.get_my_user())
        await other.update_my_media_progress(
            item_id=item.id_, episode_id=episode.id_, duration_seconds=120, progress_seconds=90, is_finished=False
        )
        told = await heard["progress"].next(lambda _, progress: progress.current_time == 90)
        check("and hears what happens", told is not None)

        await attempt("signs out", client.logout())
        try:
            await client.get_my_user()
            check("without access any more", False)
        except AbsError:
            check("without access any more", True)
        await socket.shutdown()
    check(f"nothing went wrong unseen {problems.lines or ''}", problems.lines == [])


asyncio.run(main())
finish()
