# The gPodder project's client library: python3 mygpoclient_library.py <origin> <user> <password>
import sys
from checks import check, finish, server
from mygpoclient import api, json, public, simple

origin, user, password = sys.argv[1:4]
FOG, LAMPS = "https://feeds.example/fog.xml", "https://feeds.example/lamps.xml"


def client(secret=password):
    return api.MygPodderClient(user, secret, origin)


def action(episode, position, device, timestamp="2026-05-01T10:00:00"):
    return api.EpisodeAction(FOG, episode, "play", device, timestamp, 0, position, 600)


def everything(one, since=0):
    seen = {}
    for _ in range(50):
        changes = one.download_episode_actions(since)
        fresh = [a for a in changes.actions if a.episode not in seen]
        seen.update((a.episode, a) for a in changes.actions)
        since = changes.since
        if not fresh:
            return seen, since


def devices_subscriptions_and_actions():
    desk = client()
    check("a device is made", desk.update_device_settings("desk", "Desk", "desktop"))
    check("it is listed", [d.device_id for d in desk.get_devices()] == ["desk"])
    result = desk.update_subscriptions("desk", [FOG, " HTTPS://Feeds.Example/lamps.xml"], [])
    check("an address is told in our spelling", result.update_urls == [(" HTTPS://Feeds.Example/lamps.xml", LAMPS)])
    phone = client()
    phone.update_device_settings("phone", "Phone", "mobile")
    pulled = phone.pull_subscriptions("phone", 0)
    check("the first sync brings both", sorted(pulled.add) == [FOG, LAMPS])
    phone.update_subscriptions("phone", [], [LAMPS])
    pulled = desk.pull_subscriptions("desk", result.since)
    check("the way back brings the removal", LAMPS in pulled.remove)
    phone.upload_episode_actions([action("https://cdn.example/%d.mp3" % n, n + 1, "phone") for n in range(10000)])
    heard, since = everything(desk)
    check("ten thousand actions go through", len(heard) == 10000)
    desk.upload_episode_actions([action("https://cdn.example/3.mp3", 77, "desk", "2026-05-01T11:00:00")])
    heard, since = everything(phone, since)
    check("the other way, too", heard["https://cdn.example/3.mp3"].position == 77)


def whole_lists():
    plain = simple.SimpleClient(user, password, origin)
    check("a whole list is put", plain.put_subscriptions("desk", [FOG]))
    check("and had", plain.get_subscriptions("desk") == [FOG])


def wrong_password():
    try:
        client("wrong").get_devices()
        check("a wrong password is refused", False)
    except Exception as error:
        check("a wrong password is refused", type(error).__name__ == "Unauthorized")


def after_a_restart():
    server("stop")
    server("start")
    heard, _ = everything(client())
    check("after a restart all of it is there", len(heard) == 10000)


def settings_and_favourites():
    one = client()
    one.set_settings("account", None, None, {"speed": 1.5, "old": True}, [])
    check("settings of the account are kept", one.set_settings("account", None, None, {}, ["old"]) == {"speed": 1.5})
    one.set_settings("episode", FOG, "https://cdn.example/3.mp3", {"bookmark": 77}, [])
    check("those of an episode are apart", one.get_settings("episode", FOG, "https://cdn.example/3.mp3") == {"bookmark": 77})
    check("no episode is a favourite yet", one.get_favorite_episodes() == [])


def directory():
    signed_in = public.PublicClient(origin)
    signed_in._client = json.JsonClient(user, password)
    check("the library is searched", signed_in.search_podcasts("fog") == [])
    check("and ranked", signed_in.get_toplist() == [])
    plain = simple.SimpleClient(user, password, origin)
    check("and suggested from", plain.get_suggestions() == [])
    try:
        public.PublicClient(origin).get_toplist()
        check("strangers are told nothing of it", False)
    except Exception as error:
        check("strangers are told nothing of it", type(error).__name__ == "Unauthorized")


# A function for each part of the API.
devices_subscriptions_and_actions()
whole_lists()
settings_and_favourites()
directory()
wrong_password()
after_a_restart()
finish()
