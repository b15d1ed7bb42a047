import { rss } from '../support/builders'

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
