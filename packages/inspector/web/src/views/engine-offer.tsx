import { Code } from '@mantine/core'
import type { SessionView } from '../../../src/view/session-view.ts'
import { formatRoute, type ViewProps } from '../route.ts'
import { PlainText } from '../ui/plain-text.tsx'

interface EngineOfferProps extends ViewProps {
  readonly options: string
  readonly has: (view: SessionView) => boolean
}

/** Leads to another engine of the file that has what is missing, or gives the command that shows the session with it. */
export function EngineOffer({ view, route, source, options, has }: EngineOfferProps) {
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
  return <ShowAgain view={view} options={options} />
}

export function ShowAgain({ view, options }: Pick<ViewProps, 'view'> & { readonly options: string }) {
  return (
    view.command !== undefined && (
      <Command text={`npx @palimpsest/cli ${view.command} --html page.html ${options}`} />
    )
  )
}

export function Command({ text }: { readonly text: string }) {
  return (
    <Code block style={{ whiteSpace: 'pre-wrap' }}>
      <PlainText text={text} />
    </Code>
  )
}
