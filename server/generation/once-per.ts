/**
 * Gives a function that makes something of an object once, and keeps it as long as the object. The object must not change, and `make`
 * must depend on it alone.
 */
export function oncePer<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, {readonly value: Made}>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, {value});
    return value;
  };
}
