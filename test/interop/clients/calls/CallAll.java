import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.MarketApi;
import org.openapitools.client.api.ParcelApi;

/** Calls all ten endpoints with the Java client of openapi-generator: arguments are document, address and key. */
public final class CallAll {
  public static void main(String[] given) throws Exception {
    JsonNode document = new ObjectMapper().readTree(new File(given[0]));
    ApiClient client = new ApiClient();
    client.updateBaseUri(given[1]);
    client.setRequestInterceptor(request -> request.header("X-API-Key", given[2]));
    Map<String, Object> apis = Map.of("market", new MarketApi(client), "parcel", new ParcelApi(client));
    for (JsonNode path : document.get("paths")) {
      JsonNode get = path.get("get");
      String operation = get.get("operationId").asText();
      Object api = apis.get(get.get("tags").get(0).asText());
      System.out.println(operation + " " + shown(call(api, operation, get.get("parameters"))));
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
      if (example != null) values[at] = example.asText();
    }
    return method.invoke(api, values);
  }

  private static String shown(Object answer) throws Exception {
    for (String name : new String[] {"getRecords", "getProperties", "getProperty"}) {
      try {
        Object got = answer.getClass().getMethod(name).invoke(answer);
        return got instanceof java.util.List<?> list ? list.size() + " of them" : "a parcel";
      } catch (NoSuchMethodException absent) {
        continue;
      }
    }
    throw new IllegalStateException("an answer without records");
  }
}
