import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.CoverageApi;
import org.openapitools.client.api.MarketApi;
import org.openapitools.client.api.ParcelApi;

/**
 * Asks every example question with the Java client of openapi-generator, and prints one field of each answer: arguments are document,
 * address, key, and a file with a JSON pointer for each operation.
 */
public final class CallAll {
  public static void main(String[] given) throws Exception {
    JsonNode document = new ObjectMapper().readTree(new File(given[0]));
    JsonNode fields = new ObjectMapper().readTree(new File(given[3]));
    ApiClient client = new ApiClient();
    client.updateBaseUri(given[1]);
    client.setRequestInterceptor(request -> request.header("X-API-Key", given[2]));
    Map<String, Object> apis = Map.of(
        "market", new MarketApi(client), "parcel", new ParcelApi(client), "coverage", new CoverageApi(client));
    for (JsonNode path : document.get("paths")) {
      JsonNode get = path.get("get");
      String operation = get.get("operationId").asText();
      Object answer = call(apis.get(get.get("tags").get(0).asText()), operation, get.get("parameters"));
      JsonNode read = client.getObjectMapper().valueToTree(answer);
      System.out.println(operation + " " + read.at(fields.get(operation).asText()).asText());
    }
  }

  /** Calls the method of an operation with the examples of its parameters, which are in the order of the document. */
  private static Object call(Object api, String operation, JsonNode parameters) throws Exception {
    Method method = Arrays.stream(api.getClass().getMethods())
        .filter(each -> each.getName().equals(operation) && each.getParameterCount() == parameters.size())
        .findFirst().orElseThrow();
    Object[] values = new Object[parameters.size()];
    for (int at = 0; at < values.length; at++) {
      JsonNode example = parameters.get(at).get("example");
      if (example != null) values[at] = typed(method.getParameterTypes()[at], example.asText());
    }
    return method.invoke(api, values);
  }

  /** Gives a value as its parameter takes it: a component with few values is an enumeration. */
  private static Object typed(Class<?> type, String value) throws Exception {
    return type.isEnum() ? type.getMethod("fromValue", String.class).invoke(null, value) : value;
  }
}
