import type { SessionView, ViewMessage } from '../../src/view/session-view.ts'
import { largeView } from './large-view.ts'

/** What a hostile tool could answer: each would do something if it were anything but text. */
export const hostileTexts: readonly string[] = [
  '<img src=x onerror="window.hacked = 1"><svg onload="window.hacked = 2"></svg>',
  '</script><script>window.hacked = 3</script><!--',
  '\u001b[31mred\u001b[0m \u001b]8;;https://example.com\u0007link\u001b]8;;\u0007 bell \u0007 nul \u0000 end',
  'pay \u202Eevil\u202C to \u2066hidden\u2069 zero\u200Bwidth \uFEFFmark so\u00ADft tag\u{E0041}\u{E0042}',
  'javascript:alert(1) https://example.com/a?b=<c> &amp; &lt;b&gt; {{constructor}} <%= x %>',
  'windows\r\nline\rold mac\ttab \ud800 lone',
  '  two  spaces \n\n\n an end of blanks \t\n \n',
]

/** One line of a megabyte. */
export const longLine = 'abcdefgh '.repeat(116_509)

/** Each runs a script, loads something or leads away, where a page takes a text for HTML, an address or Markdown. */
export const payloads: readonly string[] = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 2">',
  '<svg/onload=window.hacked=3>',
  '"><iframe srcdoc="<script>parent.hacked = 4</script>"></iframe>',
  '<details open ontoggle="window.hacked = 5">x</details>',
  '<a href="javascript:window.hacked=6" id="hit">link</a>',
  '[link](javascript:window.hacked=7)',
  '![picture](https://example.com/8.png "title")',
  '[link]: data:text/html,<script>window.hacked=9</script>\n\n[link]',
  '<style>@import "https://example.com/10.css";</style>',
  '<base href="https://example.com/11/">',
  '<form action="https://example.com/12"><button>send</button></form>',
  '<object data="https://example.com/13"></object><embed src="https://example.com/13">',
  '<meta http-equiv="refresh" content="0;url=https://example.com/14">',
  '<link rel="stylesheet" href="https://example.com/15.css">',
  '<math><mtext><table><mglyph><style><img src=x onerror="window.hacked=16">',
  '</script></body><script>window.hacked = 17</script>',
  '`</code><img src=x onerror=window.hacked=18>`\n\n```html\n</pre><script>window.hacked=18</script>\n```',
  '| a | b |\n|---|---|\n| <img src=x onerror=window.hacked=19> | <javascript:window.hacked=19> |',
]

/** A session whose every text, name and quote is hostile, and the same on another engine. */
export function hostileViews(texts: readonly string[] = hostileTexts): readonly SessionView[] {
  const view = hostileView(texts)
  return [view, { ...largeView(60), id: 'other', title: view.title, engine: texts[3] ?? '' }]
}

function hostileView(given: readonly string[]): SessionView {
  const base = largeView(100)
  const hostile = (place: number) => given[place % given.length] ?? ''
  const texts = [...given, longLine]
  const messages = base.messages.map((message, index): ViewMessage => {
    const text = texts[index - 1]
    if (index === 12) {
      const calls = [{ id: hostile(0), name: hostile(3), arguments: JSON.stringify({ path: hostile(3) }) }]
      return {
        ...message,
        ...{ role: 'assistant', text: '', calls, attachments: [hostile(0)], reasoning: hostile(1) },
      }
    }
    const { tokens, seq } = message
    if (index > 20 && message.calls !== undefined) {
      const fields = {
        file_path: hostile(index),
        old_string: hostile(index + 1),
        new_string: hostile(index + 2),
      }
      return {
        ...message,
        calls: message.calls.map((call) => ({ ...call, arguments: JSON.stringify(fields) })),
      }
    }
    return text === undefined ? message : { role: 'user', kind: 'message', text, tokens, seq }
  })
  return {
    ...base,
    id: 'hostile',
    title: hostile(0),
    engine: hostile(1),
    model: hostile(3),
    messages,
    compactions: [1, 2].map((request) => ({
      ...{ request, trigger: hostile(3), outcome: 'compacted' as const, reason: hostile(1) },
      ...{ tokensBefore: 2, tokensAfter: 1, kept: hostile(request) },
    })),
    warnings: given.map((message) => ({ request: 1, code: hostile(3), message })),
    bill: {
      ...{ model: hostile(3), asOf: hostile(0), with: 1 },
      ...{ cacheReadShare: 0.5, without: null, tools: 0, summaries: { requests: 1, usd: 1, isPaid: true } },
    },
    summaryNodes: base.summaryNodes.map((node, place) => ({
      ...node,
      text: hostile(place),
      writer: hostile(1),
    })),
    decisions: (base.decisions ?? []).map((decision, place) => ({
      ...decision,
      category: hostile(3),
      status: place === 0 ? hostile(3) : decision.status,
      authority: hostile(3),
      subject: hostile(place),
      value: hostile(place + 1),
      l0: hostile(place + 3),
      reason: hostile(2),
      sources: decision.sources.map((source) => ({ ...source, role: hostile(3), quote: hostile(place) })),
    })),
  }
}
