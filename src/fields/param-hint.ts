/** @param value As `--param` takes it. */
export function paramHint(name: string, value = 'VALUE'): string {
  return `use -p ${name}=${value} to send it unchecked`
}
