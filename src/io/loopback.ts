/** Whether a host name (as in `URL.hostname`) is this machine: 127.0.0.0/8, ::1, localhost and names below it. */
export function isLoopback(hostname: string): boolean {
  return /^(127\.\d+\.\d+\.\d+|\[?::1\]?|localhost|.+\.localhost)$/i.test(hostname)
}
