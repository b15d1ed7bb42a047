# The sync engine of the gPodder desktop application, without its windows: python3 gpodder_desktop.py <origin> <user> <password>
import atexit
import logging
import os
import sys
import tempfile
from types import SimpleNamespace
from checks import check, finish, server

# What it cannot do it tells in its log, with a trace: that is looked at here in what it does next.
logging.disable(logging.CRITICAL)
import gpodder
from gpodder import my, opml

origin, user, password = sys.argv[1:4]
homes = tempfile.TemporaryDirectory()
FOG, LAMPS, TIDES = ("https://feeds.example/%s.xml" % name for name in ("fog", "lamps", "tides"))
MANY = 10000


class Episode:
    """As much of an episode of the application as the engine touches."""

    def __init__(self, url, feed=FOG):
        self.url, self.channel = url, SimpleNamespace(url=feed)
        self.current_position = self.current_position_updated = self.total_time = 0
        self.is_played = self.is_deleted = False

    def mark(self, is_played):
        self.is_played = is_played

    def was_downloaded(self, and_exists):
        return False

    def delete_from_disk(self):
        self.is_deleted = True

    def save(self):
        pass


class Desktop:
    """The application on one computer: its preferences, its episodes, and the engine over a folder that stays."""

    def __init__(self, uid, secret=password):
        device = SimpleNamespace(uid=uid, caption="The " + uid, type="desktop")
        mygpo = SimpleNamespace(enabled=True, server=origin, username=user, password=secret, device=device)
        self.config = SimpleNamespace(mygpo=mygpo, add_observer=lambda observer: None)
        self.home = os.path.join(homes.name, uid)
        os.makedirs(self.home)
        self.episodes = {}
        self.open()

    def open(self):
        gpodder.home = self.home
        self.engine = my.MygPoClient(self.config)
        # It syncs when it is told to, not when a minute has gone by.
        self.engine.FLUSH_TIMEOUT = 3600

    def quit(self):
        self.engine._at_exit()
        atexit.unregister(self.engine._at_exit)

    def sync(self):
        self.engine._worker_proc(forced=True)

    def preference(self, name, value):
        """As the dialogue of the preferences changes one."""
        setattr(self.config.mygpo, name, value)
        self.engine.on_config_changed("mygpo." + name, None, value)

    def received(self):
        """What came of subscriptions since the last look."""
        actions = self.engine.get_received_actions()
        self.engine.confirm_received_actions(actions)
        return [a.url for a in actions if a.is_add], [a.url for a in actions if a.is_remove]

    def episode(self, url):
        return self.episodes.setdefault(url, Episode(url))

    def heard(self):
        """The episodes of which something came since the last look."""
        touched = []
        self.engine.process_episode_actions(lambda feed, url: self.episode(url) if feed == FOG else None, touched.append)
        return {episode.url for episode in touched}

    def plays(self, url, position, seconds_ago=0):
        # As `on_playback_full` does, which knows only now.
        action = self.engine._convert_played_episode(self.episode(url), 0, position, 600)
        action.timestamp -= seconds_ago
        self.engine._store.save(action)


def media(number):
    return "https://cdn.example/%d.mp3" % number


def registers(desk):
    desk.engine.create_device()
    desk.sync()
    check("the application registers its device", desk.engine.get_devices() == [("desk", "The desk", "desktop")])


def subscriptions_travel(desk, laptop):
    desk.engine.on_subscribe([FOG, " HTTPS://Feeds.Example/lamps.xml"])
    desk.sync()
    rewritten = [(one.old_url, one.new_url) for one in desk.engine.get_rewritten_urls()]
    check("its first sync brings its list up, one address in our spelling", rewritten == [(" HTTPS://Feeds.Example/lamps.xml", LAMPS)])
    laptop.engine.create_device()
    laptop.sync()
    add, remove = laptop.received()
    check("a second one gets both", sorted(add) == [FOG, LAMPS] and not remove)
    desk.sync()
    desk.received()
    laptop.engine.on_subscribe([TIDES])
    laptop.engine.on_unsubscribe([LAMPS])
    laptop.sync()
    desk.sync()
    add, remove = desk.received()
    # Of the same second it may be told again what it knows.
    check("what is added and removed there comes here", TIDES in add and remove == [LAMPS])
    desk.engine.on_subscribe([LAMPS])
    desk.sync()
    laptop.sync()
    check("and the other way", LAMPS in laptop.received()[0])


def refused_subscription(desk, laptop):
    laptop.sync()
    laptop.engine.reject_received_actions([my.ReceivedSubscribeAction.add(TIDES)])
    laptop.sync()
    desk.sync()
    check("what is refused there is taken back here", TIDES in desk.received()[1])


def whole_list(desk):
    desk.engine.set_subscriptions([FOG])
    found = opml.Importer(desk.engine.get_download_user_subscriptions_url()).items
    check("a whole list is put, and restored from the server", [one["url"] for one in found] == [FOG])


def actions_travel(desk, laptop):
    # Of two in the same second the engine keeps the first.
    desk.plays(media(1), 40, seconds_ago=60)
    desk.engine.on_download([desk.episode(media(2))])
    desk.engine.on_delete([desk.episode(media(3))])
    desk.sync()
    laptop.sync()
    laptop.heard()
    there = laptop.episode(media(1))
    check("a position comes over", (there.current_position, there.total_time, there.is_played) == (40, 600, True))
    check("and what was deleted", laptop.episode(media(3)).is_deleted)
    laptop.plays(media(1), 90, seconds_ago=30)
    laptop.sync()
    desk.sync()
    desk.heard()
    check("and goes on from there", desk.episode(media(1)).current_position == 90)


def many_actions(desk, laptop):
    for number in range(MANY):
        desk.plays(media(number), number % 600)
    desk.sync()
    check("ten thousand actions go up", not desk.engine._store.load(my.EpisodeAction))
    came = set()
    for _ in range(30):
        laptop.sync()
        came |= laptop.heard()
    check("and down", len(came) == MANY)


def restarts(desk, laptop):
    server("stop")
    desk.plays(media(5), 555)
    desk.sync()
    check("while the server is away it stays switched on", desk.config.mygpo.enabled)
    server("start")
    desk.sync()
    check("then what was played meanwhile goes up, by the cookie it has", not desk.engine._store.load(my.EpisodeAction))
    # Its cookies are gone with it, what it was last told is not.
    laptop.quit()
    laptop.open()
    laptop.sync()
    came = laptop.heard()
    check("one that was started anew signs in again", laptop.episode(media(5)).current_position == 555)
    check("and gets what is new, not all of it", len(came) < MANY)
    laptop.engine.on_subscribe([TIDES])
    laptop.sync()
    desk.sync()
    check("both go on", TIDES in desk.received()[0])


def wrong_password():
    typo = Desktop("typo", "wrong")
    typo.engine.create_device()
    typo.sync()
    check("by a wrong password it switches itself off", typo.config.mygpo.enabled is False)
    typo.preference("password", password)
    typo.preference("enabled", True)
    typo.sync()
    check("by the right one it is on again", typo.config.mygpo.enabled and FOG in typo.received()[0])
    typo.quit()


desk, laptop = Desktop("desk"), Desktop("laptop")
registers(desk)
subscriptions_travel(desk, laptop)
refused_subscription(desk, laptop)
whole_list(desk)
actions_travel(desk, laptop)
many_actions(desk, laptop)
restarts(desk, laptop)
wrong_password()
desk.quit()
laptop.quit()
finish()
