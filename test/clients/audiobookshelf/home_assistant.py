# The config flow and the polls of Home Assistant's integration (https://github.com/wolffshots/hass-audiobookshelf), with
# the library and the classes that it decodes them by. Usage: home_assistant.py <address> <API key of an admin>
import asyncio
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "sync"))

import aiohttp
from aioaudiobookshelf import SessionConfiguration, get_admin_client_by_token
from aioaudiobookshelf.schema.session import PlaybackSession
from aioaudiobookshelf.schema.user import _UserBase
from checks import check, finish

address, key = sys.argv[1:3]
STATS = {"totalGenres": int, "totalItems": int, "totalSize": int, "totalDuration": (int, float), "numAudioTracks": int}


async def main():
    async with aiohttp.ClientSession() as session:
        client = await get_admin_client_by_token(
            session_config=SessionConfiguration(
                session=session, url=address, token=key, pagination_items_per_page=30
            )
        )
        check("the config flow finds an admin behind the key", client.user.username == "mara")
        poll = lambda path: client._get(path)
        users = json.loads(await poll("/api/users"))["users"]
        check("counts the users", len([_UserBase.from_dict(user) for user in users]) == 2)
        online = json.loads(await poll("/api/users/online"))
        check("counts who is online", [_UserBase.from_dict(user) for user in online["usersOnline"]] == [])

        headers = {"Authorization": f"Bearer {key}"}
        [library] = await client.get_all_libraries()
        url = f"{address}/api/libraries/{library.id_}/items?sort=addedAt&desc=1&limit=5"
        async with session.get(url, headers=headers) as response:
            recent = (await response.json(content_type=None))["results"]
        check("lists what was added last", len(recent) == 3 and all(item["addedAt"] for item in recent))
        stats = json.loads(await poll(f"/api/libraries/{library.id_}/stats"))
        check("reads the statistics", all(isinstance(stats[name], kind) for name, kind in STATS.items()))

        item = await client.get_library_item_podcast(podcast_id=recent[0]["id"], expanded=True)
        play = f"{address}/api/items/{item.id_}/play/{item.media.episodes[0].id_}"
        async with session.post(play, headers=headers, json={"deviceInfo": {"deviceId": "kitchen"}}):
            pass
        open_sessions = json.loads(await poll("/api/sessions/open"))["sessions"]
        known = [PlaybackSession.from_dict(one) for one in open_sessions]
        check("sees what plays, and who plays it", [one.user_id for one in known] == [client.user.id_])


asyncio.run(main())
finish()
