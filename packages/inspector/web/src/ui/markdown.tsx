import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { createContext, Fragment, memo, type ReactNode, useMemo } from 'react'
import { renderPiece } from './plain-text.tsx'
import { cutText } from './text-pieces.ts'
import classes from './ui.module.css'

export const AsWritten = createContext(false)

/** Renders Markdown as elements: HTML stays text, links show their address and do nothing, and nothing is loaded. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const tokens = useMemo(() => lexer(text), [text])
  return (
    <div className={classes.markdown} data-markdown="">
      {tokens.map(render)}
    </div>
  )
})

const shown = (text: string): ReactNode => cutText(text, 0, text.length, null).pieces.map(renderPiece)

const within = (tokens: readonly Token[] | undefined, text: string): ReactNode =>
  tokens === undefined ? shown(text) : tokens.map(render)

function render(any: Token, key: number): ReactNode {
  const token = any as MarkedToken
  switch (token.type) {
    case 'heading':
      return (
        <p key={key} className={classes.heading} data-depth={token.depth}>
          {within(token.tokens, token.text)}
        </p>
      )
    case 'paragraph':
      return <p key={key}>{within(token.tokens, token.text)}</p>
    case 'blockquote':
      return <blockquote key={key}>{token.tokens.map(render)}</blockquote>
    case 'code':
      return <pre key={key}>{shown(token.text)}</pre>
    case 'list':
      return <List key={key} token={token} />
    case 'table':
      return <Grid key={key} token={token} />
    case 'strong':
      return <strong key={key}>{token.tokens.map(render)}</strong>
    case 'em':
      return <em key={key}>{token.tokens.map(render)}</em>
    case 'del':
      return <s key={key}>{token.tokens.map(render)}</s>
    case 'codespan':
      return <code key={key}>{shown(token.text)}</code>
    case 'br':
      return <br key={key} />
    case 'hr':
      return <hr key={key} />
    case 'space':
      return null
    case 'checkbox':
      return <Fragment key={key}>{token.checked ? '☑ ' : '☐ '}</Fragment>
    case 'link':
      return (
        <Fragment key={key}>
          {token.tokens.map(render)}
          {token.href !== token.text && <span className="quiet"> ({shown(token.href)})</span>}
        </Fragment>
      )
    case 'text':
    case 'escape':
      return <Fragment key={key}>{within('tokens' in token ? token.tokens : undefined, token.text)}</Fragment>
    default:
      return token.type === 'html' && token.block === true ? (
        <p key={key}>{shown(token.raw)}</p>
      ) : (
        <Fragment key={key}>{shown(token.raw)}</Fragment>
      )
  }
}

function List({ token }: { readonly token: Tokens.List }) {
  const items = token.items.map((item, key) => <li key={key}>{item.tokens.map(render)}</li>)
  return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>
}

function Grid({ token }: { readonly token: Tokens.Table }) {
  return (
    <table>
      <thead>
        <tr>
          {token.header.map((cell, key) => (
            <th key={key}>{within(cell.tokens, cell.text)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {token.rows.map((row, line) => (
          <tr key={line}>
            {row.map((cell, key) => (
              <td key={key}>{within(cell.tokens, cell.text)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
