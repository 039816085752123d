import { useState } from 'react'
import type { ViewAnswer, ViewAnswers, ViewQuestion } from '../../../../src/view/session-view.ts'
import { formatAmount, formatCount } from '../../format.ts'
import type { ViewProps } from '../../route.ts'
import { TextButton } from '../../ui/buttons.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import classes from './overview.module.css'

interface QuestionsProps {
  readonly answers: ViewAnswers
  readonly go: ViewProps['go']
}

interface ScoreProps extends QuestionsProps {
  readonly engine: string
}

export function Score({ answers, engine, go }: ScoreProps) {
  const { questions, recorded, by } = answers
  const [first] = questions
  return (
    <section className={`panel ${classes.section}`} aria-labelledby="overview-answers">
      <h2 id="overview-answers">What a model still knows at the end</h2>
      <div className={classes.sides}>
        <Side name="Newest messages only" score={answers.without} of={questions.length}>
          {formatAmount(answers.without.tokens, 'token')}
        </Side>
        <Side name={`With ${engine}`} score={answers.with} of={questions.length}>
          {engine.includes('decisions') ? 'decisions, ' : ''}summaries and the newest messages,{' '}
          {formatAmount(answers.with.tokens, 'token')}
        </Side>
      </div>
      {first && <Question question={first} go={go} />}
      <p className="quiet">
        Recorded on {recorded} by <PlainText text={by} />; nothing runs now
      </p>
    </section>
  )
}

const SHOWN = 4

export function Questions({ answers: { questions }, go }: QuestionsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section className={`panel ${classes.section}`} aria-labelledby="overview-questions">
      <h2 id="overview-questions">More questions</h2>
      {questions.slice(1, isOpen ? undefined : SHOWN).map((question) => (
        <Question key={question.question} question={question} go={go} />
      ))}
      {questions.length > SHOWN && (
        <TextButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show fewer questions' : `Show all ${formatCount(questions.length)} questions`}
        </TextButton>
      )}
    </section>
  )
}

interface SideProps {
  readonly name: string
  readonly score: ViewAnswers['with']
  readonly of: number
  readonly children: React.ReactNode
}

function Side({ name, score, of, children }: SideProps) {
  return (
    <div>
      <h3>
        <PlainText text={name} />
      </h3>
      <p>
        <b className={classes.score}>
          {score.right} of {formatCount(of)}
        </b>{' '}
        <span className="quiet">right, from {children}</span>
      </p>
    </div>
  )
}

function Question({ question, go }: { readonly question: ViewQuestion; readonly go: ViewProps['go'] }) {
  const { seq, expected } = question
  return (
    <div className={classes.question} data-testid="question">
      <h3>
        <PlainText text={question.question} />
      </h3>
      <div className={classes.sides}>
        <Answer answer={question.without} side="newest messages only" />
        <Answer answer={question.with} side="with the engine" />
      </div>
      <p className="quiet">
        Right: <PlainText text={expected} />{' '}
        <TextButton onClick={() => go({ page: 'transcript', message: seq })}>
          message {formatCount(seq + 1)}
        </TextButton>
      </p>
    </div>
  )
}

const MARKS = { 1: '✓ right', 0.5: '◐ in part', 0: '✗ not known' }

interface AnswerProps {
  readonly answer: ViewAnswer
  readonly side: string
}

function Answer({ answer: { text, mark }, side }: AnswerProps) {
  return (
    <div className={classes.answer} data-mark={mark}>
      <b>{MARKS[mark]}</b> <span className={classes.side}>{side}</span>
      <Markdown text={text} />
    </div>
  )
}
