import { list, matching, object, string } from '../schema/index.js';

const URL = '^[a-z][a-z0-9+.-]*://[^\\s,]+$';

const files = (description: string) =>
  list(
    description,
    string('Address, such as `local:///app/lib.jar` for a file of the image, or `https://example.com/lib.jar`.', {
      minLength: 1,
      maxLength: 1024,
      rules: [
        matching(
          URL,
          'must be an address with a scheme and without commas, such as local:///app/lib.jar for a file of the image',
        ),
      ],
    }),
    { maxItems: 64, optional: true },
  );

/** `spec.dependencies`. */
export const dependencies = object(
  'Files and packages that the driver fetches before it starts the program, and passes on to the executors.',
  {
    jars: files('JAR files of the class path.'),
    pyFiles: files('Python files of the path for modules: `.py`, `.zip` or `.egg`.'),
    files: files('Files of the working folder of each executor.'),
    archives: files('Archives that are unpacked in the working folder of each executor.'),
    packages: list(
      'Maven packages of the class path, with their dependencies.',
      string('Coordinates, such as `org.apache.hadoop:hadoop-aws:3.5.0`.', {
        minLength: 1,
        maxLength: 256,
        rules: [
          matching(
            '^[^:,\\s]+:[^:,\\s]+:[^:,\\s]+$',
            'must have the form GROUP:ARTIFACT:VERSION, such as org.apache.hadoop:hadoop-aws:3.5.0',
          ),
        ],
      }),
      { maxItems: 64, optional: true },
    ),
    repositories: files('Maven repositories in addition to Maven Central.'),
  },
  { optional: true },
);
