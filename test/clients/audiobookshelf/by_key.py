# Music Assistant's client library with a key instead of a name and a password. Usage: by_key.py <address> <key>
import asyncio
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "sync"))

import aiohttp
import aioaudiobookshelf
from aioaudiobookshelf.client.session_configuration import SessionConfiguration
from aioaudiobookshelf.exceptions import LoginError
from aioaudiobookshelf.schema.calls_items import PlaybackSessionParameters
from aioaudiobookshelf.schema.session import DeviceInfo
from checks import check, finish

address, key = sys.argv[1:3]


def configuration(session, token):
    return SessionConfiguration(session=session, url=address, token=token, pagination_items_per_page=2)


async def main():
    async with aiohttp.ClientSession() as session:
        client = await aioaudiobookshelf.get_user_client_by_token(session_config=configuration(session, key))
        check("signs in by the key alone", client.user.username in ("mara", "nils"))
        [library] = await client.get_all_libraries()
        pages = [page async for page in client.get_library_items(library_id=library.id_)]
        items = [item for page in pages for item in page.results]
        check("reads the library page by page", len(items) == 3)
        item = await client.get_library_item_podcast(podcast_id=items[0].id_, expanded=True)
        episode = item.media.episodes[0]
        parameters = PlaybackSessionParameters(
            device_info=DeviceInfo(device_id="token", client_name="token", client_version="1"),
            supported_mime_types=["audio/mpeg"],
            media_player="token",
        )
        played = await client.get_playback_session(
            session_parameters=parameters, item_id=item.id_, episode_id=episode.id_
        )
        check("begins to play", len(played.audio_tracks) == 1)
        check("reads its user again", (await client.get_my_user()).id_ == client.user.id_)
        try:
            await aioaudiobookshelf.get_user_client_by_token(session_config=configuration(session, key[::-1]))
            check("another key is refused", False)
        except LoginError:
            check("another key is refused", True)


asyncio.run(main())
finish()
