// undici has no `exports` map, so its parts can be imported by path: these load in a third of the time of the whole.

declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici'
}

declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici'
}
