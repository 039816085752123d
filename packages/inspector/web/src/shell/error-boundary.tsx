import { Component, type ReactNode } from 'react'
import { Notice } from './notice.tsx'

interface State {
  readonly message: string | null
}

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override readonly state: State = { message: null }

  static getDerivedStateFromError(error: unknown): State {
    return { message: error instanceof Error ? error.message : String(error) }
  }

  override render() {
    const { message } = this.state
    if (message === null) return this.props.children
    return (
      <Notice
        title="This part of the page can not be shown"
        message={`Its data is not what was expected (${message}).`}
      />
    )
  }
}
