import { Code } from '@mantine/core'
import type { SessionView } from '../../../src/view/session-view.ts'
import { formatRoute, type ViewProps } from '../route.ts'
import { PlainText } from '../ui/plain-text.tsx'

interface EngineOfferProps extends ViewProps {
  readonly engine: string
  readonly has: (view: SessionView) => boolean
}

export function EngineOffer({ view, route, source, engine, has }: EngineOfferProps) {
  const other = source.engines.find(({ id }) => {
    const loaded = source.open(id).get()
    return loaded.status === 'ready' && has(loaded.value)
  })
  if (other !== undefined)
    return (
      <p style={{ margin: 0 }}>
        This file has it with{' '}
        <a href={`#${formatRoute({ session: other.id, page: route.page })}`}>
          <PlainText text={other.engine} />
        </a>
        .
      </p>
    )
  return <Command text={commandFor(view, engine)} />
}

export function Command({ text }: { readonly text: string }) {
  return (
    <Code block style={{ whiteSpace: 'pre-wrap' }}>
      <PlainText text={text} />
    </Code>
  )
}

export const fileOf = ({ title }: Pick<SessionView, 'title'>): string =>
  /^\w[\w.-]*$/.test(title) ? title : 'session.jsonl'

function commandFor(view: SessionView, engine: string): string {
  const { source } = view
  if (source === 'replay') return `palimpsest replay ${fileOf(view)} --html page.html --engine ${engine}`
  return source === 'chat'
    ? `palimpsest chat --page --engine ${engine}`
    : `palimpsest serve --engine ${engine}`
}
