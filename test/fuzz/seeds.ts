import { rss } from '../support/builders'

/** Tags of the podcast namespace for a channel and for an item. */
const namespace = {
  channel: `<podcast:locked owner="a@b.example">yes</podcast:locked><podcast:block id="google">yes</podcast:block><podcast:license url="/l">cc</podcast:license>
<podcast:txt purpose="p">t</podcast:txt><podcast:chat server="irc.example" protocol="irc" accountId="@a" space="#s"/><podcast:publisher><podcast:remoteItem feedGuid="a" medium="publisher"/></podcast:publisher>
<podcast:updateFrequency rrule="FREQ=WEEKLY;BYDAY=MO,-1FR;BYHOUR=8;INTERVAL=2" dtstart="2026-01-01T10:00:00Z" complete="false">weekly</podcast:updateFrequency>
<podcast:trailer url="/t.mp3" pubdate="Thu, 01 Apr 2026 08:00:00 EST" length="1234567" type="audio/mp3" season="4">Four</podcast:trailer><podcast:images srcset="/a.jpg 3000w, /b.jpg 1500w"/>
<podcast:liveItem status="live" start="2026-07-01T07:30:00Z" end="2026-07-01T09:30:00+02:00"><title>Live</title><guid>l1</guid><link>/live</link><enclosure url="/live.mp3" type="audio/mpeg"/>
<podcast:contentLink href="/watch">Watch</podcast:contentLink><podcast:chat server="c" protocol="xmpp"/><podcast:alternateEnclosure type="audio/mpeg"><podcast:source uri="/a.mp3"/></podcast:alternateEnclosure></podcast:liveItem>`,
  item: `<podcast:season name="Egos">5</podcast:season><podcast:episode display="Ch.3">204.5</podcast:episode><podcast:location rel="subject" geo="geo:30.2672,97.7431" osm="R113314" country="US">Austin</podcast:location>
<podcast:alternateEnclosure type="video/mp4" length="7924786" bitrate="511276.52" height="720" title="720p" lang="en" default="true" codecs="avc1" rel="x"><podcast:integrity type="sri" value="sha384-ExVq"/>
<podcast:source uri="ipfs://Qm" contentType="a"/><podcast:source uri="/v.mp4"/></podcast:alternateEnclosure><podcast:socialInteract priority="1" uri="/s" protocol="activitypub" accountId="@a" accountUrl="/a"/>
<podcast:value type="lightning" method="keysend" suggested="0.00000005000"><podcast:valueRecipient name="a" type="node" address="b" customKey="1" customValue="c" split="9" fee="true"/>
<podcast:valueTimeSplit startTime="60" duration="237" remotePercentage="95" remoteStartTime="1"><podcast:remoteItem itemGuid="i" feedGuid="f" medium="music"/><podcast:valueRecipient name="a" split="1"/></podcast:valueTimeSplit></podcast:value>
<itunes:author>Mara</itunes:author><dc:creator>m@a.example (Mara)</dc:creator><media:credit role="author">M</media:credit><podcast:image href="/p.jpg" purpose="artwork"/><googleplay:explicit>no</googleplay:explicit>`,
}

const item = {
  duration: '01:02:03',
  image: '/one.png',
  notes: `<p>Hello <a href="/x" title="t">there</a></p>\n(0:00) Begin\n01:30 - Middle\n1:02:00 End<br/><img src="/p.png" width="3">`,
  extra: `<itunes:season>2</itunes:season><itunes:episode>7</itunes:episode><itunes:episodeType>bonus</itunes:episodeType>
<podcast:chapters url="/c.json" type="application/json+chapters"/><podcast:transcript url="/t.vtt" type="text/vtt" language="en"/>
<podcast:soundbite startTime="1.5" duration="30">Best bit</podcast:soundbite><podcast:person role="host" img="/m.jpg">Mara</podcast:person>
<podcast:value type="lightning" method="keysend"><podcast:valueRecipient name="a" type="node" address="b" split="9"/></podcast:value>
<psc:chapters xmlns:psc="http://podlove.org/simple-chapters"><psc:chapter start="00:01:00" title="C" href="/h"/></psc:chapters>
<media:group><media:content url="/v.mp4" medium="video" fileSize="5"/><media:thumbnail url="/t.png"/></media:group>
<podcast:alternateEnclosure type="audio/opus" length="4"><podcast:source uri="/a.opus"/></podcast:alternateEnclosure>`,
}

/** A feed of each format, with about everything in it that is read. */
export const feeds: readonly string[] = [
  rss({
    image: '/cover.jpg',
    extra: `<itunes:type>serial</itunes:type><itunes:explicit>yes</itunes:explicit><podcast:guid>abc-1</podcast:guid><ttl>60</ttl>
<podcast:medium>podcast</podcast:medium><podcast:funding url="https://give.example">Give</podcast:funding><lastBuildDate>Tue, 03 Mar 2026 10:00:00 +0100</lastBuildDate>
<podcast:podroll><podcast:remoteItem feedUrl="https://b.example/f" title="B"/></podcast:podroll><itunes:new-feed-url>https://c.example/f</itunes:new-feed-url>
<itunes:category text="News"><itunes:category text="Local"/></itunes:category><atom:link rel="next" href="/page/2"/><podcast:location>Here</podcast:location>`,
    items: [item, { guid: null, enclosure: '/a.mp3?token=1&x=2', date: '2026-02-30 25:61', duration: '1h 2m' }],
  }),
  rss({
    extra: namespace.channel,
    items: [
      { extra: namespace.item, date: '05/11/2026 8:30 pm' },
      { extra: namespace.item, date: '13/11/2026', guid: null, length: 20_000 },
      { title: 'Episode 0', enclosure: '/t.mp3?sig=1', date: null, length: 20_000 },
    ],
  }),
  `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom" xml:lang="DA" xml:base="https://base.example/"><title>Kyst</title>
<link href="/"/><logo>/l.png</logo><author><name>N</name></author><category term="c"/><entry xml:base="sub/"><id>urn:1</id><title type="html">A &amp;amp; B</title>
<published>2026-03-01T12:00:00Z</published><link rel="enclosure" type="audio/mpeg" length="12" href="a.mp3"/>
<content type="xhtml"><div><p>Hej</p></div></content></entry><entry><id>urn:2</id><link rel="enclosure" href="/b.ogg"/><summary>Kort</summary></entry></feed>`,
  `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>Old</title><dc:date>2001-01-01</dc:date></channel><item rdf:about="urn:x"><title>One</title><link>https://pod.example/a.mp3</link></item></rdf:RDF>`,
  JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'Json',
    description: 'd',
    icon: '/i.png',
    next_url: '/2',
    authors: [{ name: 'A' }],
    items: [
      {
        id: 7,
        title: 'One',
        url: '/1',
        content_html: '<p>Hi</p>',
        date_published: '2026-01-02T03:04:05+06:00',
        attachments: [{ url: '/a.m4a', mime_type: 'audio/mp4', duration_in_seconds: 61, size_in_bytes: 123 }],
      },
      { id: 'b', content_text: 'Hi', attachments: [{ url: '/b.mp3' }] },
    ],
  }),
  '<!DOCTYPE html><html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head><form><input type="password"></form></html>',
]

export const opml: readonly string[] = [
  `<?xml version="1.0"?><opml version="2.0"><head><title>t</title></head><body><outline text="News"><outline type="rss" text="A" title="A &amp; B" xmlUrl="https://a.example/f" category="/x/y,z"/>
<outline text="Deep"><outline XMLURL="https://b.example/f"/></outline></outline><outline xmlUrl="https://a.example/f"/></body></opml>`,
]

export const notes: readonly string[] = [
  item.notes,
  'One\nline & more\n\nSee https://a.example/x. And (http://b.example/?q=1&r=2)!',
  `<h1 onclick="x()">T</h1><p>Hi <a href="/x" onmouseover="y()">there</a><script>alert(1)</script><img src="/p.png" onerror="z()"><img src="data:text/html,x">
<iframe srcdoc="<script>"></iframe><a href="javascript:alert(1)">bad</a><style>p{}</style><form><input></form><svg onload="a()"><a xlink:href="javascript:x">s</a></svg></p>`,
  `<ul><li>a<li>b</ul><table><tr><td>1</table><pre><code>x</code></pre><blockquote cite="x">q</blockquote><math><mtext></form><mglyph><style></math><img src onerror=x></style>`,
  '&lt;script&gt;alert(1)&lt;/script&gt; &amp;lt;b&amp;gt; <b>x</b> <noscript><p title="</noscript><img src=x onerror=x>"></noscript><textarea></textarea>',
]

/** Lines that are chapters, or nearly. */
export const stamped: readonly string[] = [
  '---------- * * * -- – – –',
  ': | . : | .',
  '(0:00) Begin\n[1:00] – Middle\n- 1:02:03 | End',
  'Begin – 0:00\nMiddle: 1:00\nEnd (1:02:03)',
]

export const transcripts = {
  vtt: [
    'WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.500 align:start\n<v.loud Mara Field>Hello <c.x>there</c></v>\n\nNOTE x\n\n00:03.000 --> 00:04.000\nTwo\nlines',
  ],
  srt: [
    '1\r\n00:00:01,000 --> 00:00:02,500\r\nMARA: Hello\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nThere &amp; here\r\n',
  ],
  json: [
    '{"version":"1.0.0","segments":[{"speaker":"Mara","startTime":0.5,"endTime":0.75,"body":"Hello"},{"startTime":1,"body":"there."},{"start":"00:02","text":"Next"}]}',
    // Whisper, whisper.cpp, Deepgram, AWS Transcribe, AssemblyAI, Rev, Google, YouTube and Podlove.
    '{"text":" Ahoy","segments":[{"id":0,"start":0,"end":1.5,"text":" Ahoy there","words":[{"word":"Ahoy","start":0.1,"end":0.4,"speaker":"SPEAKER_00"}]}],"language":"en"}',
    '{"result":{"language":"en"},"transcription":[{"timestamps":{"from":"00:00:01,000","to":"00:00:02,500"},"offsets":{"from":1000,"to":2500},"text":" Ahoy."}]}',
    '{"results":{"channels":[{"alternatives":[{"transcript":"ahoy","words":[{"word":"ahoy","start":0.1,"end":0.5,"speaker":0,"punctuated_word":"Ahoy"}],"paragraphs":{"paragraphs":[{"speaker":0,"sentences":[{"text":"Ahoy.","start":0.1,"end":0.5}]}]}}]}]}}',
    '{"jobName":"a","results":{"transcripts":[{"transcript":"Ahoy."}],"items":[{"type":"pronunciation","start_time":"0.1","end_time":"0.5","speaker_label":"spk_0","alternatives":[{"content":"Ahoy"}]},{"type":"punctuation","alternatives":[{"content":"."}]}]}}',
    '{"acoustic_model":"a","audio_duration":4,"utterances":[{"start":100,"end":900,"speaker":"A","text":"Ahoy.","words":[{"text":"Ahoy.","start":100,"end":900}]}]}',
    '{"monologues":[{"speaker":1,"elements":[{"type":"text","value":"Ahoy","ts":0.1,"end_ts":0.5},{"type":"punct","value":" "}]}],"speakers":[{"id":1,"name":"Mara"}]}',
    '{"results":[{"alternatives":[{"transcript":"ahoy","words":[{"startTime":"1.5s","endTime":"2s","word":"ahoy","speakerTag":1}]}]}]}',
    '{"events":[{"tStartMs":100,"dDurationMs":900,"segs":[{"utf8":"Ahoy"},{"utf8":" there","tOffsetMs":400}]}]}',
    '{"transcripts":[{"start":"00:00:01.000","start_ms":1000,"end_ms":2500,"speaker":"1","voice":"Mara","text":"Ahoy"}]}',
  ],
  html: [
    '<html><head><title>x</title></head><cite>Mara:</cite><time>0:01</time><p>Hello <b>there</b></p><script>x</script><p>More<br>lines</p></html>',
  ],
  text: [
    'Hello there.\n\nAnother paragraph\nof two lines.\n',
    '00:00:05 Anna: Hello\n\n[00:01:10] Bob: Next\n\nMara Field (00:02:00):\nHi\n\nSpeaker 2  3:00\nLast',
  ],
  ttml: [
    '<?xml version="1.0"?><tt xmlns:ttm="x" ttp:frameRate="25"><head><ttm:agent xml:id="a"><ttm:name>Mara</ttm:name></ttm:agent></head><body><div begin="1s"><p begin="00:00:01:05" end="2.5s" ttm:agent="a">Hello<br/><span begin="15t">there</span></p><p begin="3s" dur="500ms"><![CDATA[Two]]></p></div></body></tt>',
  ],
  lrc: ['[ar: Mara]\n[offset:+500]\n[00:12.00][01:12.50]Heave ho\n[00:15.30] <00:15.30>and <00:16.00>up\n'],
} as const

export const chapters: readonly string[] = [
  '{"version":"1.2.0","chapters":[{"startTime":0,"title":"Intro","img":"/i.png","url":"https://a.example"},{"startTime":168.5,"endTime":"200","title":"Next","toc":false}]}',
]

/** Chapter files that are not JSON, or nearly. */
export const otherChapters: readonly string[] = [
  '[{"start":"00:00:00.000","title":"A","href":"","image":"/a.png"},{"start":"00:00:41.500","title":"B",},]',
  '<?xml version="1.0"?><psc:chapters xmlns:psc="x"><psc:chapter start="00:01:00.5" title="A &amp; B" href="/h" image="/i"/></psc:chapters>',
  'WEBVTT\n\n00:00.000 --> 01:00.000\nIntro\n\n01:00.000 --> 02:00.000\nNext',
]

/** A table in a dump of PostgreSQL. */
export const postgres = [
  `-- PostgreSQL database dump
SET client_encoding = 'UTF8';
COPY public."Users" (userid, username, "position") FROM stdin;
1\tmara \\t\\\\ \\x41\t\\N
2\t\t7
\\.
-- PostgreSQL database dump complete
`,
]

/** A table in a dump of MySQL, and one of MariaDB with its rows in lines. */
export const mysql = [
  `-- MySQL dump 10.13
/*!50503 SET NAMES utf8mb4 */;
CREATE TABLE \`Users\` (
  \`UserID\` int NOT NULL,
  \`Username\` text
);
INSERT INTO \`Users\` VALUES (1,'ma\\'ra'),(2,NULL),(3,_binary 'a''b\\n');
-- Dump completed
`,
  `INSERT INTO \`Users\` (\`UserID\`, \`Username\`) VALUES
(1,'x;
y'),
(2,'');
`,
]
