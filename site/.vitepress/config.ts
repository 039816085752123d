import { defineConfig, type MarkdownEnv, type MarkdownRenderer } from 'vitepress'
import { headingId } from '../../scripts/heading-id.ts'
import { entryPoints } from '../build-api.ts'
import { root } from '../root.ts'

const page = (text: string, name: string) => ({ text, link: `/docs/${name}` })

const guides = [
  {
    text: 'Begin',
    items: [{ text: 'What it is', link: '/' }, page('Start', 'start'), page('The packages', 'packages')],
  },
  {
    text: 'Use it',
    items: [
      page('Your own loop', 'hosts'),
      page('Frameworks', 'frameworks'),
      page('Recall', 'recall'),
      page('Coming from Hermes', 'from-hermes'),
      page('Chat', 'chat'),
      page('The page', 'page'),
      page('Configuration', 'configuration'),
      page('Commands', 'commands'),
      page('Security and privacy', 'security'),
    ],
  },
  {
    text: 'Serve it',
    items: [
      page('The gateway', 'gateway'),
      page('With any client', 'gateway-apis'),
      page('Its errors and limits', 'gateway-limits'),
      page('The service', 'serve'),
      page('Run the service', 'operate'),
      page('Costs and metrics', 'metrics'),
      page('Many machines', 'scale'),
    ],
  },
  {
    text: 'Understand it',
    items: [
      page('LCM', 'lcm'),
      page('Decisions', 'decisions-engine'),
      page('Prompt caching', 'prompt-caching'),
      page('Benchmarks', 'benchmarks'),
      page('Compactions of hosts', 'host-figures'),
      page('Design', 'design'),
      page('The contract', 'hermes-contract'),
      page('Cases of the suites', 'contract-cases'),
    ],
  },
  {
    text: 'Extend it',
    items: [
      page('Write an engine', 'write-an-engine'),
      page('Write a store', 'write-a-store'),
      page('Write a host adapter', 'write-a-host-adapter'),
      page('Port from Hermes', 'porting-from-hermes'),
      { text: 'Contribute', link: '/CONTRIBUTING' },
      page('Release', 'releasing'),
    ],
  },
]

/** Links to README.md become those of the page, and links to files that are no pages become their text. */
function mendLinks(md: MarkdownRenderer): void {
  md.core.ruler.push('mend-links', ({ tokens }) => {
    for (const { children } of tokens)
      for (const [at, link] of (children ?? []).entries()) {
        const href = link.type === 'link_open' ? String(link.attrGet('href')) : '#'
        if (/^(#|[a-z]+:)/.test(href)) continue
        if (/\.md(#|$)/.test(href)) link.attrSet('href', href.replace(/README\.md/, 'index.md'))
        else if (!/\.(png|html)$/.test(href))
          for (const token of [link, children?.slice(at).find(({ type }) => type === 'link_close')])
            if (token !== undefined) Object.assign(token, { type: 'text', tag: '', content: '', nesting: 0 })
      }
  })
}

/** The link in a heading as VitePress makes it, which searches all of a page for each of its headings. */
function permalink(slug: string, _: object, { tokens, Token }: MarkdownState, at: number): void {
  const heading = tokens[at + 1]
  const attrs: [string, string][] = [
    ['class', 'header-anchor'],
    ['href', `#${slug}`],
    ['aria-label', `Permalink to "${heading?.content}"`],
  ]
  heading?.children?.push(
    Object.assign(new Token('text', '', 0), { content: ' ' }),
    Object.assign(new Token('link_open', 'a', 1), { attrs }),
    Object.assign(new Token('html_inline', '', 0), { content: '&ZeroWidthSpace;' }),
    new Token('link_close', 'a', -1),
  )
}

type MarkdownState = Parameters<Parameters<MarkdownRenderer['core']['ruler']['push']>[1]>[0]

type Highlight = Pick<MarkdownRenderer['options'], 'highlight'>

interface WordsRenderer {
  readonly options: Highlight
  set(options: Highlight): unknown
  render(text: string, env: MarkdownEnv): string
}

/** The search finds words: colours of code would be computed a second time for it. */
function renderWords(text: string, env: MarkdownEnv, md: WordsRenderer): string {
  const { highlight } = md.options
  md.set({ highlight: null })
  try {
    return md.render(text, env)
  } finally {
    md.set({ highlight })
  }
}

export default defineConfig({
  title: 'Palimpsest',
  description: 'Long LLM-agent conversations inside the context window, with what was said and decided',
  srcDir: root,
  srcExclude: ['**/{node_modules,dist,test,src,.changeset,.github}/**', 'AGENTS.md', 'docs/page/**'],
  rewrites: (id) => id.replace(/^site\/api\//, 'api/').replace(/README\.md$/, 'index.md'),
  outDir: `${root}/site/dist`,
  cacheDir: `${root}/node_modules/.cache/vitepress`,
  markdown: { config: mendLinks, anchor: { slugify: headingId, permalink } },
  themeConfig: {
    search: { provider: 'local', options: { _render: renderWords } },
    outline: [2, 3],
    nav: [
      { text: 'Docs', link: '/docs/start' },
      { text: 'API', link: '/api/' },
      { text: 'A session on the page', link: '/demo.html', target: '_self' },
    ],
    sidebar: {
      '/api/': [
        {
          text: 'API',
          items: entryPoints(root).map(({ name }) => ({ text: name, link: `/api/${name}` })),
        },
      ],
      '/': guides,
    },
  },
})
