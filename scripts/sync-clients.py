# The gPodder project's own client library against a running server: python3 sync-clients.py <origin> <user> <password>
import sys
from mygpoclient import api, simple

origin, user, password = sys.argv[1:4]
failed = 0


def check(name, fine):
    global failed
    failed += 0 if fine else 1
    print(("ok      " if fine else "FAILED  ") + name)


def client(secret=password):
    return api.MygPodderClient(user, secret, origin)


def action(episode, position, device, timestamp="2026-05-01T10:00:00"):
    return api.EpisodeAction("https://feeds.example/fog.xml", episode, "play", device, timestamp, 0, position, 600)


def everything(one, since=0):
    seen = {}
    for _ in range(50):
        changes = one.download_episode_actions(since)
        fresh = [a for a in changes.actions if a.episode not in seen]
        seen.update((a.episode, a) for a in changes.actions)
        since = changes.since
        if not fresh:
            return seen, since


if sys.argv[4:] != ["again"]:
    desk = client()
    check("a device is made", desk.update_device_settings("desk", "Desk", "desktop"))
    check("it is listed", [d.device_id for d in desk.get_devices()] == ["desk"])
    result = desk.update_subscriptions("desk", ["https://feeds.example/fog.xml", " HTTPS://Feeds.Example/lamps.xml"], [])
    check("an address is told in our spelling", result.update_urls == [(" HTTPS://Feeds.Example/lamps.xml", "https://feeds.example/lamps.xml")])
    phone = client()
    phone.update_device_settings("phone", "Phone", "mobile")
    pulled = phone.pull_subscriptions("phone", 0)
    check("the first sync brings both", sorted(pulled.add) == ["https://feeds.example/fog.xml", "https://feeds.example/lamps.xml"])
    phone.update_subscriptions("phone", [], ["https://feeds.example/lamps.xml"])
    pulled = desk.pull_subscriptions("desk", result.since)
    check("the way back brings the removal", "https://feeds.example/lamps.xml" in pulled.remove)
    phone.upload_episode_actions([action("https://cdn.example/%d.mp3" % n, n + 1, "phone") for n in range(10000)])
    heard, since = everything(desk)
    check("ten thousand actions go through", len(heard) == 10000)
    desk.upload_episode_actions([action("https://cdn.example/3.mp3", 77, "desk", "2026-05-01T11:00:00")])
    heard, since = everything(phone, since)
    check("the other way, too", heard["https://cdn.example/3.mp3"].position == 77)
    plain = simple.SimpleClient(user, password, origin)
    check("a whole list is put", plain.put_subscriptions("desk", ["https://feeds.example/fog.xml"]))
    check("and had", plain.get_subscriptions("desk") == ["https://feeds.example/fog.xml"])
    try:
        client("wrong").get_devices()
        check("a wrong password is refused", False)
    except Exception as error:
        check("a wrong password is refused", type(error).__name__ == "Unauthorized")
else:
    heard, _ = everything(client())
    check("after a restart all of it is there", len(heard) == 10000)
sys.exit(1 if failed else 0)
