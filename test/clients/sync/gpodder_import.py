# A library that the gPodder desktop application itself makes: python3 gpodder_import.py <origin of the feeds>
# It stays open, as an application does that runs, until its input ends.
import subprocess
import sys
import time

import gpodder
from gpodder import core

origin = sys.argv[1]
TIDES, FOG, MEMBERS = ("%s/%s.xml" % (origin, name) for name in ("alpha", "beta", "members"))


def gpo(*words):
    subprocess.run(["gpo", "--quiet", *words], check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)


for url in (TIDES, FOG, MEMBERS.replace("://", "://mara:sea%3Aside@")):
    gpo("subscribe", url)
gpo("rename", TIDES, "My tides")
gpo("disable", FOG)

# As its own command does.
gpodder.prefix = "/usr"
application = core.Core()
# A password stays in the address that was given.
podcasts = {podcast.url.replace("mara:sea%3Aside@", ""): podcast for podcast in application.model.get_podcasts()}
episodes = {(url, one.guid): one for url, podcast in podcasts.items() for one in podcast.get_all_episodes()}


def plays(url, guid, position, total=1800):
    """As the application does when a player tells where it stopped."""
    episode = episodes[url, guid]
    episode.playback_mark()
    episode.current_position = position
    episode.total_time = total
    episode.current_position_updated = int(time.time())
    episode.save()


podcasts[TIDES].section = "Coast"
podcasts[TIDES].save()
plays(TIDES, "a1", 600)
plays(TIDES, "a2", 1795)
episodes[TIDES, "a3"].mark(is_locked=True)
episodes[TIDES, "a4"].delete_from_disk()
episodes[TIDES, "a5"].mark(is_played=True)
plays(FOG, "b2", 40)
plays(MEMBERS, "m1", 70)

application.db.commit()
print(gpodder.database_file, flush=True)
sys.stdin.readline()
application.shutdown()
